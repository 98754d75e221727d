/* dw_name.h - what the DWARF standard and its vendors call their numbers, for messages. */
#ifndef DI_DW_NAME_H
#define DI_DW_NAME_H

#define DI_DW_NAME 48 /* room for a name */

/* The name, `DW_TAG_variant_part`, or the number in its place, `DW_TAG_0x4321`: static, or in buf.
 */
const char *di_tag_name(unsigned tag, char buf[static DI_DW_NAME]);
/* `DW_AT_endianity`, likewise. */
const char *di_attribute_name(unsigned at, char buf[static DI_DW_NAME]);
/* `DW_ATE_signed_fixed`, likewise. */
const char *di_encoding_name(unsigned encoding, char buf[static DI_DW_NAME]);

#endif
