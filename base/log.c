#include "base/log.h"

#include <stdarg.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/shown.h"

static const char *const module_names[XS_LOG_MODULES] = {
	[XS_LOG_BASE] = "base",
	[XS_LOG_ENGINE] = "engine",
	[XS_LOG_DWARF] = "dwarf",
	[XS_LOG_ORACLE] = "oracle",
	[XS_LOG_CLI] = "cli",
};

static const char *const level_names[] = {
	[XS_LOG_ERROR] = "error",
	[XS_LOG_WARN] = "warn",
	[XS_LOG_INFO] = "info",
	[XS_LOG_DEBUG] = "debug",
};

static enum xs_log_level levels[XS_LOG_MODULES] = {
	XS_LOG_WARN, XS_LOG_WARN, XS_LOG_WARN, XS_LOG_WARN, XS_LOG_WARN};

/* The index of the word [text, text + length) in names, or -1. */
static int word_index(const char *const *names, int count, const char *text, size_t length)
{
	for (int i = 0; i < count; i++)
		if (strlen(names[i]) == length && !strncmp(names[i], text, length))
			return i;
	return -1;
}

bool xs_log_setup(const char *spec, const char **bad)
{
	for (const char *at = spec; at && *at;) {
		size_t length = strcspn(at, ","), colon = strcspn(at, ":,");
		bool has_module = at[colon] == ':';
		bool all = !has_module || (colon == 3 && !strncmp(at, "all", 3));
		const char *level_text = has_module ? at + colon + 1 : at;
		int module = all ? 0 : word_index(module_names, XS_LOG_MODULES, at, colon);
		int level = word_index(level_names, XS_LOG_DEBUG + 1, level_text,
			length - (size_t)(level_text - at));
		if (module < 0 || level < 0) {
			*bad = at;
			return false;
		}
		for (int i = 0; i < XS_LOG_MODULES; i++)
			if (all || i == module)
				levels[i] = (enum xs_log_level)level;
		at += length;
		at += *at == ',';
	}
	return true;
}

bool xs_log_enabled(enum xs_log_module module, enum xs_log_level level)
{
	return level <= levels[module];
}

void xs_log(enum xs_log_module module, enum xs_log_level level, const char *format, ...)
{
	if (!xs_log_enabled(module, level))
		return;
	va_list args;
	va_start(args, format);
	XS_AUTO_FREE char *message = xs_vasprintf(format, args);
	va_end(args);
	/* A program is opened more than once, and read by many: what is the matter with it is said
	 * once. */
	static struct xs_map said;
	if (level == XS_LOG_WARN && (*xs_map_at(&said, xs_hash_text(0, message), 0))++)
		return;
	/* One write a line, so that lines of parallel runs do not mix. Users read the first two
	 * levels, and care little for our folders. */
	if (level <= XS_LOG_WARN)
		xs_print(stderr, "xstep: %s: %s\n", level == XS_LOG_WARN ? "warning" : "error",
			message);
	else
		xs_print(stderr, "xstep: %s: %s\n", module_names[module], message);
}
