#include "dwarf/dw_name.h"

#include <dwarf.h>
#include <elfutils/known-dwarf.h>
#include <stdio.h>

const char *di_tag_name(unsigned tag, char buf[static DI_DW_NAME])
{
	switch (tag) {
#define DWARF_ONE_KNOWN_DW_TAG(name, code)                                                         \
	case code:                                                                                 \
		return #code;
		DWARF_ALL_KNOWN_DW_TAG
	default:
		snprintf(buf, DI_DW_NAME, "DW_TAG_0x%02x", tag);
		return buf;
	}
}

const char *di_attribute_name(unsigned at, char buf[static DI_DW_NAME])
{
	switch (at) {
#define DWARF_ONE_KNOWN_DW_AT(name, code)                                                          \
	case code:                                                                                 \
		return #code;
		DWARF_ALL_KNOWN_DW_AT
	default:
		snprintf(buf, DI_DW_NAME, "DW_AT_0x%02x", at);
		return buf;
	}
}

const char *di_encoding_name(unsigned encoding, char buf[static DI_DW_NAME])
{
	switch (encoding) {
#define DWARF_ONE_KNOWN_DW_ATE(name, code)                                                         \
	case code:                                                                                 \
		return #code;
		DWARF_ALL_KNOWN_DW_ATE
	default:
		snprintf(buf, DI_DW_NAME, "DW_ATE_0x%02x", encoding);
		return buf;
	}
}
