#include "oracle/store/identity.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "dwarf/attribute.h"

/* --- SHA-256 (FIPS 180-4): forty lines, against a library for one hash a trace ---------------- */

static const uint32_t round_constants[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5,
	0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
	0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152,
	0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
	0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624,
	0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3,
	0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, unsigned by)
{
	return x >> by | x << (32 - by);
}

static void add_block(uint32_t sum[8], const unsigned char *block)
{
	uint32_t w[64], v[8];
	for (unsigned i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (unsigned i = 16; i < 64; i++)
		w[i] = w[i - 16] + w[i - 7] +
		       (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
		       (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
	memcpy(v, sum, sizeof v);
	for (unsigned i = 0; i < 64; i++) {
		uint32_t one = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) +
			       ((v[4] & v[5]) ^ (~v[4] & v[6])) + round_constants[i] + w[i];
		uint32_t two = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) +
			       ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof *v);
		v[4] += one;
		v[0] = one + two;
	}
	for (unsigned i = 0; i < 8; i++)
		sum[i] += v[i];
}

static struct xs_error *hash(FILE *file, const char *path, char **ret)
{
	uint32_t sum[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
		0x1f83d9ab, 0x5be0cd19};
	unsigned char block[64];
	uint64_t bits = 0;
	size_t have;
	while ((have = fread(block, 1, sizeof block, file)) == sizeof block) {
		add_block(sum, block);
		bits += sizeof block * 8;
	}
	if (ferror(file))
		return xs_error_sys("%s", path);
	bits += have * 8;
	block[have++] = 0x80;
	memset(block + have, 0, sizeof block - have);
	if (have > 56) {
		add_block(sum, block);
		memset(block, 0, sizeof block);
	}
	for (unsigned i = 0; i < 8; i++)
		block[63 - i] = (unsigned char)(bits >> 8 * i);
	add_block(sum, block);
	*ret = xs_asprintf("sha256:%08x%08x%08x%08x%08x%08x%08x%08x", sum[0], sum[1], sum[2],
		sum[3], sum[4], sum[5], sum[6], sum[7]);
	return NULL;
}

/* A regular file: what a name leads to may be anything, and never end. */
static struct xs_error *open_file(const char *path, FILE **ret, struct ora_seen *seen)
{
	XS_AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat about;
	if (fd < 0 || fstat(fd, &about))
		return xs_error_sys("%s", path);
	if (!S_ISREG(about.st_mode))
		return xs_error_create("%s: not a file", path);
	*seen = (struct ora_seen){.device = about.st_dev,
		.number = about.st_ino,
		.changed = {about.st_ctim.tv_sec, about.st_ctim.tv_nsec}};
	if (!(*ret = fdopen(fd, "r")))
		return xs_error_sys("%s", path);
	fd = -1;
	return NULL;
}

struct xs_error *ora_hash_file(const char *path, char **ret)
{
	XS_AUTO_FILE FILE *file = NULL;
	struct ora_seen seen;
	struct xs_error *err = open_file(path, &file, &seen);
	return err ? err : hash(file, path, ret);
}

char *ora_hash_text(const char *text)
{
	char *ret = NULL;
	size_t size = strlen(text);
	/* An empty buffer cannot be opened everywhere. */
	XS_AUTO_FILE FILE *file = size ? fmemopen((void *)(uintptr_t)text, size, "r") : tmpfile();
	xs_assert(file);
	struct xs_error *err = hash(file, "a text", &ret);
	xs_assert(!err);
	return ret;
}

/* --- the very file ---------------------------------------------------------------------------- */

bool ora_seen_is_at(const struct ora_seen *seen, const char *path)
{
	struct stat about;
	return !stat(path, &about) && about.st_dev == seen->device &&
	       about.st_ino == seen->number && about.st_ctim.tv_sec == seen->changed[0] &&
	       about.st_ctim.tv_nsec == seen->changed[1];
}

struct xs_error *ora_identity_verify(
	const struct ora_store_subject *subject, const char *path, struct ora_seen *ret)
{
	XS_AUTO_FILE FILE *file = NULL;
	XS_AUTO_FREE char *found = NULL;
	struct xs_error *err;
	if ((err = open_file(path, &file, ret)) || (err = hash(file, path, &found)))
		return err;
	if (strcmp(found, subject->hash) != 0)
		return xs_error_create("%s: is not the file that was traced: it is %s, and the "
				       "trace is of %.100s",
			path, found, subject->hash);
	return NULL;
}

/* --- the rest --------------------------------------------------------------------------------- */

/* The options that a producer names: from the first word with a dash on, each of them. */
static char *flags_of(const char *producer)
{
	char *text = xs_strdup(producer), *flags = NULL, *rest = NULL;
	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (*word != '-')
			continue;
		char *longer = xs_asprintf("%s%s%s", flags ? flags : "", flags ? " " : "", word);
		free(flags);
		flags = longer;
	}
	free(text);
	return flags;
}

/* The unit that has main, else the first. */
static bool find_unit(const struct di_module *module, Dwarf_Die *ret)
{
	const struct di_function *main = di_functions_named(module->functions, "main");
	if (main && !main->symbol) {
		Dwarf_Die die = main->die;
		return dwarf_diecu(&die, ret, NULL, NULL);
	}
	Dwarf_CU *unit = NULL;
	return module->dwarf && !dwarf_get_units(module->dwarf, NULL, &unit, NULL, NULL, ret, NULL);
}

struct xs_error *ora_identity_init(
	struct ora_identity *identity, const char *path, const struct di_module *module)
{
	struct xs_error *err;
	const void *bytes;
	Dwarf_Die unit;
	Dwarf_Attribute attribute;
	Dwarf_Half version = 0;
	*identity = (struct ora_identity){0};
	if ((err = ora_hash_file(module->path, &identity->hash)))
		return err;
	identity->path = xs_strdup(path);
	ssize_t size = dwelf_elf_gnu_build_id(module->elf, &bytes);
	if (size > 0) {
		identity->build_id = xs_calloc((size_t)size * 2 + 1, 1);
		for (ssize_t i = 0; i < size; i++)
			snprintf(identity->build_id + 2 * i, 3, "%02x",
				((const unsigned char *)bytes)[i]);
	}
	if (find_unit(module, &unit)) {
		const char *producer =
			dwarf_formstring(di_attr_integrate(&unit, DW_AT_producer, &attribute));
		identity->producer = producer ? xs_strdup(producer) : NULL;
		identity->flags = producer ? flags_of(producer) : NULL;
		if (unit.cu)
			dwarf_cu_info(unit.cu, &version, NULL, NULL, NULL, NULL, NULL, NULL);
	}
	identity->subject = (struct ora_store_subject){.path = identity->path,
		.build_id = identity->build_id,
		.hash = identity->hash,
		.producer = identity->producer,
		.flags = identity->flags,
		.dwarf_version = version};
	return NULL;
}

void ora_identity_deinit(struct ora_identity *identity)
{
	free(identity->path);
	free(identity->build_id);
	free(identity->hash);
	free(identity->producer);
	free(identity->flags);
}
