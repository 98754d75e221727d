#include "dwarf/attribute.h"

#include <dwarf.h>
#include <stdint.h>
#include <string.h>

enum { CHAIN_MAX = 16 }; /* origins of origins, as in libdw */

Dwarf_Die *di_formref_die(Dwarf_Attribute *attr, Dwarf_Die *ret)
{
	unsigned form = attr ? dwarf_whatform(attr) : 0;
	uint64_t offset = 0;
	if (form != DW_FORM_ref_sup4 && form != DW_FORM_ref_sup8)
		return dwarf_formref_die(attr, ret);
	memcpy(&offset, attr->valp, form == DW_FORM_ref_sup4 ? 4 : 8);
	Dwarf *supplement = dwarf_getalt(dwarf_cu_getdwarf(attr->cu));
	return supplement ? dwarf_offdie(supplement, offset, ret) : NULL;
}

Dwarf_Attribute *di_attr_integrate(Dwarf_Die *die, unsigned at, Dwarf_Attribute *ret)
{
	Dwarf_Die entry = *die;
	Dwarf_Attribute origin;
	for (unsigned chain = 0; chain < CHAIN_MAX; chain++) {
		if (dwarf_attr(&entry, at, ret))
			return ret;
		if ((!dwarf_attr(&entry, DW_AT_abstract_origin, &origin) &&
			    !dwarf_attr(&entry, DW_AT_specification, &origin)) ||
			!di_formref_die(&origin, &entry))
			break;
	}
	/* What a split unit has in its skeleton. */
	return entry.addr == die->addr ? dwarf_attr_integrate(die, at, ret) : NULL;
}

bool di_hasattr_integrate(Dwarf_Die *die, unsigned at)
{
	Dwarf_Attribute attr;
	return di_attr_integrate(die, at, &attr);
}
