#include "oracle/session/doctor.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"
#include "engine/fitness.h"
#include "oracle/session/witnesses.h"

static void note(struct ora_symptoms *ret, const char *what, char *words, bool problem)
{
	xs_vec_push(&ret->vec, ((struct ora_symptom){what, words, problem, false}));
}

/* An error is what is wrong; without one, `fine` is said. */
static void note_error(
	struct ora_symptoms *ret, const char *what, struct xs_error *err, const char *fine)
{
	note(ret, what, xs_strdup(err ? err->message : fine), err);
	xs_error_destroy(err);
}

/* --- debuggers -------------------------------------------------------------------------------- */

static void note_witnesses(struct ora_symptoms *ret)
{
	struct ora_witnesses list = {0};
	ora_witnesses_find(&list);
	for (size_t i = 0; i < list.vec.len; i++) {
		const struct ora_witness *one = &list.vec.data[i];
		if (one->kind == ORA_WITNESS_XSTEP)
			continue;
		char *words = one->problem ? xs_strdup(one->problem)
					   : xs_asprintf("%s, %s", one->path, one->version);
		note(ret, ora_witness_name(one->kind), words, one->problem);
		ret->vec.data[ret->vec.len - 1].optional = ora_witness_is_symboliser(one->kind);
	}
	ora_witnesses_deinit(&list);
}

/* --- the C library ---------------------------------------------------------------------------- */

/* The separate debug file of a loaded object, by its build-id; to be freed. */
static char *debug_file(const struct dl_phdr_info *info)
{
	enum { NAME = 4, SHORTEST = 2 }; /* `GNU` */
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		if (segment->p_type != PT_NOTE)
			continue;
		const char *at = (const char *)(info->dlpi_addr + segment->p_vaddr);
		const char *end = at + segment->p_memsz;
		while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
			const ElfW(Nhdr) *head = (const void *)at;
			const unsigned char *id = (const unsigned char *)at + sizeof *head +
						  ((head->n_namesz + 3) & ~3u);
			if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == NAME &&
				head->n_descsz > SHORTEST) {
				char *path = xs_asprintf("/usr/lib/debug/.build-id/%02x/", id[0]);
				for (unsigned k = 1; k < head->n_descsz; k++) {
					char *more = xs_asprintf("%s%02x", path, id[k]);
					free(path);
					path = more;
				}
				char *whole = xs_asprintf("%s.debug", path);
				free(path);
				return whole;
			}
			at = (const char *)id + ((head->n_descsz + 3) & ~3u);
		}
	}
	return NULL;
}

static int find_libc(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	if (strcmp(xs_base_name(info->dlpi_name), "libc.so.6") != 0)
		return 0;
	*(char **)arg = debug_file(info);
	return 1;
}

static void note_libc(struct ora_symptoms *ret)
{
	char *path = NULL;
	dl_iterate_phdr(find_libc, &path);
	bool there = path && !access(path, R_OK);
	note(ret, "libc",
		there ? xs_strdup(path)
		      : xs_strdup(
				"no separate debug information of the C library: frames inside of "
				"it have no lines, and lldb may not get through them; apt-get "
				"install libc6-dbg"),
		!there);
	ret->vec.data[ret->vec.len - 1].optional = true;
	free(path);
}

/* --- programs that some commands run ---------------------------------------------------------- */

static void note_programs(struct ora_symptoms *ret)
{
	static const struct {
		const char *names[3], *what, *missing;
	} programs[] = {
		{{"gcc", "gcc-12", NULL}, "gcc",
			"no gcc: check opt, ccmd, campaign, reduce and culprit need a compiler"},
		{{"clang", "clang-15", NULL}, "clang", "no clang on PATH; gcc will do for most"},
		{{"csmith", NULL}, "csmith",
			"campaign run --generate csmith needs it: apt-get install csmith "
			"libcsmith-dev"},
		{{"cvise", "creduce", NULL}, "cvise",
			"reduce makes large programs smaller with it, or creduce: apt-get "
			"install cvise"},
	};
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		char *path = NULL;
		for (const char *const *name = programs[i].names; *name && !path; name++)
			path = xs_path_find(*name);
		note(ret, programs[i].what, path ? path : xs_strdup(programs[i].missing), !path);
		ret->vec.data[ret->vec.len - 1].optional = true;
	}
}

void ora_doctor(struct ora_symptoms *ret)
{
	note_error(ret, "ptrace", eng_fitness_ptrace(),
		"a process can be held, stepped and written to");
	note_error(ret, "layout", eng_fitness_layout(),
		"programs can be run without address space randomisation");
	note_error(ret, "steady", eng_fitness_steady(),
		"the kernel hands questions for the time and random bytes to xstep");
	note_witnesses(ret);
	note_libc(ret);
	note_programs(ret);
}

void ora_symptoms_deinit(struct ora_symptoms *symptoms)
{
	for (size_t i = 0; i < symptoms->vec.len; i++)
		free(symptoms->vec.data[i].words);
	xs_vec_deinit(&symptoms->vec);
}
