#include "dwarf/split.h"

#include <dwarf.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>

#include "base/log.h"
#include "base/path.h"
#include "dwarf/dwp.h"
#include "dwarf/module.h"

enum {
	NAMED_MAX = 5, /* files that are warned of by name */
	OF_PROGRAM,    /* second half of a key of pairs: the first is a unit of the program, */
	OF_SPLIT,      /* or a split unit */
};

/* A .dwo, or an object that holds one. */
struct source {
	char *problem; /* why it cannot be read, or NULL */
	struct di_file *file;
	XS_VEC(struct di_image) images; /* one; more if several skeletons want the same unit */
	XS_VEC(uint8_t *) joined;       /* sections that were in several pieces */
};

struct di_split {
	XS_VEC(struct source *) sources;
	struct xs_map by_path; /* hash of a path -> index into sources, plus 1; 0: no file */
	/* (unit of the program, OF_PROGRAM) -> split unit; (split unit, OF_SPLIT) -> skeleton. */
	struct xs_map pairs;
	struct xs_map units;             /* (dwo_id, libdw's file) -> split unit */
	struct di_dwp *packages[2];      /* of the program and of its separate debug file */
	XS_VEC(struct di_image *) parts; /* of packages, that were opened */
	struct xs_map types;             /* signature -> index into parts, plus 1; 0: no good */
	struct xs_map warned;            /* hashes of the warnings so far */
	bool all;                        /* every skeleton has been paired */
};

/* --- what a skeleton says --------------------------------------------------------------------- */

static const char *text_of(Dwarf_Die *die, unsigned at)
{
	Dwarf_Attribute attr;
	return dwarf_formstring(dwarf_attr(die, at, &attr));
}

bool di_split_id(Dwarf_CU *cu, Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Half version;
	Dwarf_Attribute attr;
	Dwarf_Word id;
	uint8_t type;
	if (dwarf_cu_info(cu, &version, &type, die, NULL, ret, NULL, NULL))
		return false;
	if (version >= 5)
		return type == DW_UT_skeleton || type == DW_UT_split_compile;
	if (!dwarf_attr(die, DW_AT_GNU_dwo_id, &attr) || dwarf_formudata(&attr, &id))
		return false;
	*ret = id;
	return true;
}

static const char *dwo_name(Dwarf_Die *skeleton)
{
	const char *name = text_of(skeleton, DW_AT_dwo_name);
	return name ? name : text_of(skeleton, DW_AT_GNU_dwo_name);
}

/* --- .dwo files ------------------------------------------------------------------------------- */

/* Notes the units of a file that libdw has opened. */
static void note_units(struct di_split *split, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint64_t id;
	while (!dwarf_get_units(dwarf, cu, &cu, NULL, NULL, NULL, NULL)) {
		if (!di_split_id(cu, &die, &id))
			continue;
		uint64_t *known = xs_map_at(&split->units, id, (uintptr_t)dwarf);
		*known = *known ? *known : (uintptr_t)cu;
	}
}

/* A section of that name, all of it: gcc puts each type unit into one of its own. */
static struct xs_error *read_section(
	struct source *source, const char *name, struct di_image_part *ret)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	size_t pieces = 0, size = 0;
	uint8_t *joined = NULL;
	*ret = (struct di_image_part){.name = name};
	while ((scn = elf_nextscn(source->file->elf, scn))) {
		if (!gelf_getshdr(scn, &header) || header.sh_type == SHT_NOBITS ||
			strcmp(di_section_name(source->file->elf, &header), name) != 0)
			continue;
		Elf_Data *data = elf_rawdata(scn, NULL);
		if (!data || (data->d_size && !data->d_buf)) {
			free(joined);
			return xs_error_corrupt("%s: cannot be read: %s", name, elf_errmsg(-1));
		}
		if (!pieces++) {
			ret->data = data->d_buf;
		} else {
			joined = xs_realloc(joined, size + data->d_size, 1);
			if (pieces == 2)
				memcpy(joined, ret->data, size);
			memcpy(joined + size, data->d_buf, data->d_size);
		}
		size += data->d_size;
	}
	ret->size = size;
	if (joined) {
		ret->data = joined;
		xs_vec_push(&source->joined, joined);
	}
	return NULL;
}

static struct xs_error *open_image(struct di_split *split, struct source *source)
{
	static const char *const names[] = {".debug_info.dwo", ".debug_types.dwo",
		".debug_abbrev.dwo", ".debug_line.dwo", ".debug_loc.dwo", ".debug_loclists.dwo",
		".debug_rnglists.dwo", ".debug_str_offsets.dwo", ".debug_str.dwo"};
	struct di_image_part parts[sizeof names / sizeof *names];
	struct di_image image;
	struct xs_error *err;
	size_t count = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if ((err = read_section(source, names[i], &parts[count])))
			return err;
		count += parts[count].data != NULL;
	}
	if (!count)
		return xs_error_corrupt("no split debug information in it");
	if ((err = di_image_open(parts, count, &image)))
		return err;
	xs_vec_push(&source->images, image);
	note_units(split, image.dwarf);
	return NULL;
}

static void source_destroy(struct source *source)
{
	for (size_t i = 0; i < source->images.len; i++)
		di_image_deinit(&source->images.data[i]);
	xs_vec_deinit(&source->images);
	for (size_t i = 0; i < source->joined.len; i++)
		free(source->joined.data[i]);
	xs_vec_deinit(&source->joined);
	di_file_destroy(source->file);
	free(source->problem);
	free(source);
}

static struct xs_error *open_source(struct di_split *split, const char *path, struct source **ret)
{
	struct source *source = xs_calloc(1, sizeof *source);
	struct xs_error *err;
	if ((err = di_file_open(path, "split debug information", &source->file)) ||
		(err = di_file_check_table(source->file)) ||
		(err = di_file_check_sections(source->file)) ||
		(err = di_file_uncompress(source->file)) || (err = open_image(split, source))) {
		source_destroy(source);
		return err;
	}
	*ret = source;
	return NULL;
}

/* The unit with that dwo_id that no other skeleton has, in a file. */
static Dwarf_CU *unit_in(struct di_split *split, struct source *source, uint64_t id)
{
	for (size_t i = 0;; i++) {
		if (i == source->images.len) {
			/* Two skeletons, one id: the same unit twice, at different addresses. */
			XS_AUTO(xs_error) err = open_image(split, source);
			if (err)
				return NULL;
		}
		const uint64_t *cu =
			xs_map_find(&split->units, id, (uintptr_t)source->images.data[i].dwarf);
		if (!cu)
			return NULL;
		if (!xs_map_find(&split->pairs, *cu, OF_SPLIT))
			return (Dwarf_CU *)(uintptr_t)*cu;
	}
}

/* Opens the file at path, or finds out why it cannot be; NULL if there is none. */
static struct source *make_source(struct di_split *split, const char *path)
{
	struct source *source = NULL;
	XS_AUTO(xs_error) err = open_source(split, path, &source);
	if (!err)
		return source;
	if (err->code == XS_ERROR_SYSTEM && err->number == ENOENT)
		return NULL;
	/* Some messages begin with the path, some do not. */
	size_t length = strlen(path);
	bool named =
		!strncmp(err->message, path, length) && !strncmp(err->message + length, ": ", 2);
	source = xs_calloc(1, sizeof *source);
	source->problem =
		named ? xs_strdup(err->message) : xs_asprintf("%s: %s", path, err->message);
	return source;
}

/* The unit in the file at path; NULL: *why says why not, if the file is there. */
static Dwarf_CU *unit_at(struct di_split *split, const char *path, uint64_t id, char **why)
{
	uint64_t hash = xs_hash_text(0, path);
	if (!xs_map_find(&split->by_path, hash, 0)) {
		struct source *source = make_source(split, path);
		if (source)
			xs_vec_push(&split->sources, source);
		*xs_map_at(&split->by_path, hash, 0) = source ? split->sources.len : 0;
	}
	uint64_t index = *xs_map_at(&split->by_path, hash, 0);
	if (!index)
		return NULL;
	struct source *source = split->sources.data[index - 1];
	Dwarf_CU *cu = source->problem ? NULL : unit_in(split, source, id);
	if (!cu) {
		free(*why);
		*why = source->problem ? xs_strdup(source->problem)
				       : xs_asprintf("%s: has no unit 0x%016" PRIx64, path, id);
	}
	return cu;
}

/* --- where they may be ------------------------------------------------------------------------ */

/* The folder that a path is in, with its slash; "" if it has none. */
static char *folder_of(const char *path)
{
	return xs_asprintf("%.*s", (int)(xs_base_name(path) - path), path);
}

/* The unit in folder/inner/name; either folder may be "". */
static Dwarf_CU *unit_by(struct di_split *split, const char *folder, const char *inner,
	const char *name, uint64_t id, char **why)
{
	const char *slash = *inner && inner[strlen(inner) - 1] != '/' ? "/" : "";
	XS_AUTO_FREE char *path = xs_asprintf("%s%s%s%s", folder, inner, slash, name);
	return unit_at(split, path, id, why);
}

/* Looks beside a file: where the name leads from there, and by the last part of the name. */
static Dwarf_CU *unit_beside(struct di_split *split, const char *file, const char *comp_dir,
	const char *name, uint64_t id, char **why)
{
	XS_AUTO_FREE char *folder = folder_of(file);
	const char *last = xs_base_name(name);
	Dwarf_CU *cu = NULL;
	if (name[0] != '/' && comp_dir[0] && comp_dir[0] != '/')
		cu = unit_by(split, folder, comp_dir, name, id, why);
	if (!cu && name[0] != '/' && name != last)
		cu = unit_by(split, folder, "", name, id, why);
	return cu ? cu : unit_by(split, folder, "", last, id, why);
}

static Dwarf_CU *unit_in_files(
	struct di_module *module, Dwarf_Die *skeleton, uint64_t id, char **why)
{
	const char *name = dwo_name(skeleton), *comp_dir = text_of(skeleton, DW_AT_comp_dir);
	comp_dir = comp_dir ? comp_dir : "";
	if (!name)
		return NULL;
	Dwarf_CU *cu = unit_by(module->split, "", name[0] == '/' ? "" : comp_dir, name, id, why);
	if (!cu)
		cu = unit_beside(module->split, module->path, comp_dir, name, id, why);
	if (!cu && module->separate)
		cu = unit_beside(module->split, module->separate->path, comp_dir, name, id, why);
	return cu;
}

/* --- packages --------------------------------------------------------------------------------- */

static void warn(struct di_module *module, const char *format, ...) XS_PRINTF(2, 3);
static void warn(struct di_module *module, const char *format, ...)
{
	char text[PATH_MAX + 400];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	struct xs_map *warned = &module->split->warned;
	uint64_t *known = xs_map_at(warned, xs_hash_text(0, text), 0);
	if ((*known)++)
		return;
	if (warned->len <= NAMED_MAX)
		xs_log(XS_LOG_DWARF, XS_LOG_WARN, "%s: split debug information %s", module->path,
			text);
	else if (warned->len == NAMED_MAX + 1)
		xs_log(XS_LOG_DWARF, XS_LOG_WARN,
			"%s: more split debug information is missing or cannot be read",
			module->path);
}

static struct di_dwp *open_package(struct di_module *module, const char *of)
{
	XS_AUTO_FREE char *path = xs_asprintf("%s.dwp", of);
	XS_AUTO_FREE char *real = realpath(of, NULL);
	XS_AUTO_FREE char *behind = real ? xs_asprintf("%s.dwp", real) : NULL;
	struct di_dwp *package = NULL;
	const char *found = !access(path, F_OK) ? path : behind;
	if (!found || access(found, F_OK))
		return NULL;
	XS_AUTO(xs_error) err = di_dwp_open(found, &package);
	if (err)
		warn(module, "%s cannot be read: %s", found, err->message);
	return package;
}

static struct di_split *split_of(struct di_module *module)
{
	if (module->split)
		return module->split;
	struct di_split *split = module->split = xs_calloc(1, sizeof *split);
	split->packages[0] = open_package(module, module->path);
	if (module->separate)
		split->packages[1] = open_package(module, module->separate->path);
	return split;
}

/* Opens what a package has of an id; NULL if there is nothing, or *why says why not. */
static struct di_image *part_of(
	struct di_split *split, const struct di_dwp *package, bool type, uint64_t id, char **why)
{
	struct di_image image = {0};
	XS_AUTO(xs_error)
	err = di_dwp_unit(package, type ? &package->types : &package->units, id, &image);
	if (err) {
		free(*why);
		*why = xs_asprintf("%s: %s", package->file->path, err->message);
	}
	if (err || !image.dwarf)
		return NULL;
	struct di_image *kept = xs_calloc(1, sizeof *kept);
	*kept = image;
	xs_vec_push(&split->parts, kept);
	return kept;
}

static Dwarf_CU *unit_in_packages(struct di_split *split, uint64_t id, char **why)
{
	for (size_t i = 0; i < 2; i++) {
		if (!split->packages[i])
			continue;
		const struct di_image *image = part_of(split, split->packages[i], false, id, why);
		if (!image)
			continue;
		note_units(split, image->dwarf);
		const uint64_t *cu = xs_map_find(&split->units, id, (uintptr_t)image->dwarf);
		if (cu)
			return (Dwarf_CU *)(uintptr_t)*cu;
		free(*why);
		*why = xs_asprintf("%s: what its index names as unit 0x%016" PRIx64
				   " is something else",
			split->packages[i]->file->path, id);
	}
	return NULL;
}

/* The type in a part that holds nothing but its type unit. */
static bool type_in(Dwarf *dwarf, uint64_t signature, Dwarf_Die *ret)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Off next, offset;
	size_t header;
	uint64_t found;
	uint8_t type;
	/* Before DWARF 5 it is in .debug_types, where libdw does not look without others. */
	if (!dwarf_next_unit(dwarf, 0, &next, &header, NULL, NULL, NULL, NULL, &found, &offset))
		return found == signature && dwarf_offdie_types(dwarf, offset, ret);
	return !dwarf_get_units(dwarf, NULL, &cu, NULL, &type, NULL, NULL) &&
	       type == DW_UT_split_type &&
	       !dwarf_cu_info(cu, NULL, NULL, NULL, ret, &found, NULL, NULL) &&
	       found == signature && ret->addr;
}

bool di_split_type(struct di_module *module, uint64_t signature, Dwarf_Die *ret)
{
	struct di_split *split = split_of(module);
	const uint64_t *known = xs_map_find(&split->types, signature, 0);
	struct di_image *image = known && *known ? split->parts.data[*known - 1] : NULL;
	XS_AUTO_FREE char *why = NULL;
	for (size_t i = 0; i < 2 && !known && !image; i++)
		if (split->packages[i])
			image = part_of(split, split->packages[i], true, signature, &why);
	if (!known)
		*xs_map_at(&split->types, signature, 0) = image ? split->parts.len : 0;
	if (why)
		warn(module, "%s", why);
	return image && type_in(image->dwarf, signature, ret);
}

/* --- pairs ------------------------------------------------------------------------------------ */

static void warn_missing(
	struct di_module *module, Dwarf_Die *skeleton, uint64_t id, const char *why)
{
	const char *name = dwo_name(skeleton), *folder = text_of(skeleton, DW_AT_comp_dir);
	const char *what = "lines and symbols are all there is for that code";
	bool relative = name && name[0] != '/' && folder;
	if (why)
		warn(module, "%s; %s", why, what);
	else if (name)
		warn(module, "%s%s%s is missing; %s", relative ? folder : "", relative ? "/" : "",
			name, what);
	else
		warn(module, "of unit 0x%016" PRIx64 " has no name; %s", id, what);
}

/* The split unit of a unit of the program; NULL if it is no skeleton, or there is none. */
static Dwarf_CU *partner_of(struct di_module *module, Dwarf_CU *cu)
{
	struct di_split *split = module->split;
	XS_AUTO_FREE char *why = NULL;
	Dwarf_Die skeleton;
	uint64_t id;
	const uint64_t *known =
		split ? xs_map_find(&split->pairs, (uintptr_t)cu, OF_PROGRAM) : NULL;
	if (known)
		return (Dwarf_CU *)(uintptr_t)*known;
	if (!di_split_id(cu, &skeleton, &id))
		return NULL;
	split = split_of(module);
	Dwarf_CU *partner = unit_in_packages(split, id, &why);
	if (!partner)
		partner = unit_in_files(module, &skeleton, id, &why);
	*xs_map_at(&split->pairs, (uintptr_t)cu, OF_PROGRAM) = (uintptr_t)partner;
	if (partner)
		*xs_map_at(&split->pairs, (uintptr_t)partner, OF_SPLIT) = (uintptr_t)cu;
	else
		warn_missing(module, &skeleton, id, why);
	return partner;
}

Dwarf_Die di_unit_die(struct di_module *module, Dwarf_CU *cu)
{
	Dwarf_Die die = {0};
	Dwarf_CU *partner = partner_of(module, cu);
	dwarf_cu_die(partner ? partner : cu, &die, NULL, NULL, NULL, NULL, NULL, NULL);
	return die;
}

bool di_split_skeleton(struct di_module *module, Dwarf_CU *cu, Dwarf_Die *ret)
{
	const struct di_split *split = module->split;
	Dwarf_CU *own = NULL;
	uint8_t type;
	if (!split || dwarf_cu_getdwarf(cu) == module->dwarf ||
		dwarf_cu_info(cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) ||
		type == DW_UT_type || type == DW_UT_split_type)
		return false;
	const uint64_t *skeleton = xs_map_find(&split->pairs, (uintptr_t)cu, OF_SPLIT);
	/* A DIE may refer to one of another unit in the same .dwo, whose skeleton nobody has looked
	 * at yet. */
	if (!skeleton && !split->all) {
		module->split->all = true;
		while (!dwarf_get_units(module->dwarf, own, &own, NULL, NULL, NULL, NULL))
			partner_of(module, own);
		skeleton = xs_map_find(&split->pairs, (uintptr_t)cu, OF_SPLIT);
	}
	return skeleton && dwarf_cu_die((Dwarf_CU *)(uintptr_t)*skeleton, ret, NULL, NULL, NULL,
				   NULL, NULL, NULL);
}

void di_split_destroy(struct di_split *split)
{
	if (!split)
		return;
	for (size_t i = 0; i < split->sources.len; i++)
		source_destroy(split->sources.data[i]);
	for (size_t i = 0; i < split->parts.len; i++) {
		di_image_deinit(split->parts.data[i]);
		free(split->parts.data[i]);
	}
	for (size_t i = 0; i < 2; i++)
		di_dwp_destroy(split->packages[i]);
	xs_vec_deinit(&split->sources);
	xs_vec_deinit(&split->parts);
	xs_map_deinit(&split->by_path);
	xs_map_deinit(&split->pairs);
	xs_map_deinit(&split->units);
	xs_map_deinit(&split->types);
	xs_map_deinit(&split->warned);
	free(split);
}
