/* shard_pack.h - what came of a shard, as one file: the campaign's file and the sources.
 *
 * It is compressed by gzip, whose checksum covers all of it. Inside: a line `xstep shard 1 NAME`;
 * then for each file a line with its size and its path, and its bytes; then a line `end`. NAME is
 * that of the shard (shards.h), so that a file that was copied to another name is noticed. Paths
 * are `campaign.db`, and `programs/ID.c` for an ID of 12 hex digits: nothing else is unpacked. */
#ifndef ORA_SHARD_PACK_H
#define ORA_SHARD_PACK_H

#include "base/error.h"

/* Packs campaign.db and programs/ of a folder. The file is not there before. */
XS_MUST_CHECK struct xs_error *ora_shard_pack(
	const char *folder, const char *name, const char *path);
/* Unpacks it into a folder that has a folder `programs` in it; folder may be NULL: it is only read.
 * A CORRUPT error says what is wrong with the file. */
XS_MUST_CHECK struct xs_error *ora_shard_unpack(
	const char *path, const char *name, const char *folder);

#endif
