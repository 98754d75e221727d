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
/* The same of a text; to be freed. */
char *ora_hash_text(const char *text);

/* A file whose bytes somebody looked at: which one it was, and when it was changed last. */
struct ora_seen {
	uint64_t device, number; /* of the file; 0: nobody looked */
	int64_t changed[2];      /* seconds, nanoseconds */
};

/* Looks whether the file at a path is the very one that was traced; the error names both. */
XS_MUST_CHECK struct xs_error *ora_identity_verify(
	const struct ora_store_subject *subject, const char *path, struct ora_seen *ret);
/* Whether a path leads to what was seen, unchanged. */
bool ora_seen_is_at(const struct ora_seen *seen, const char *path);

#endif
