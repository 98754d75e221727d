/* identity.h - what identifies a subject in a store: its bytes, its build-id, who compiled it. */
#ifndef ORA_IDENTITY_H
#define ORA_IDENTITY_H

#include "dwarf/module.h"
#include "oracle/store/store.h"

struct ora_identity {
	struct ora_store_subject subject; /* points to the rest */
	char *path, *build_id, *hash, *producer, *flags;
};

/* path is what the user gave. */
XS_MUST_CHECK struct xs_error *ora_identity_init(
	struct ora_identity *identity, const char *path, const struct di_module *module);
void ora_identity_deinit(struct ora_identity *identity);

/* `sha256:` and that of a file, in hex, to be freed. */
XS_MUST_CHECK struct xs_error *ora_hash_file(const char *path, char **ret);

#endif
