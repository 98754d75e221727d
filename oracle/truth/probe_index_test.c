/* probe_index_test.c - which variable an operand is: by the section, by the name, or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/truth/probe_index.h"

/* What is known of the operands of a probe, `f 12:a, f 9:s.f[2]`, or why nothing is. */
static const char *meaning(const char *section, const char *provider, const char *name,
	size_t operands, const char *functions)
{
	static char text[400];
	struct ora_probe_index index = {0};
	struct ora_probe_meanings meanings;
	struct di_probe probe = {
		.provider = (char *)(uintptr_t)provider, .name = (char *)(uintptr_t)name};
	char copy[100];
	const char *list[8];
	size_t count = 0;
	char *last = NULL;
	snprintf(copy, sizeof copy, "%s", functions);
	for (char *word = strtok_r(copy, " ", &last); word; word = strtok_r(NULL, " ", &last))
		list[count++] = word;
	probe.operands.len = operands;
	ora_probe_index_read(&index, section, strlen(section));
	ora_probe_meanings(&index, &probe, list, count, &meanings);
	snprintf(text, sizeof text, "%s", meanings.why ? meanings.why : "");
	for (size_t i = 0; i < meanings.vec.len; i++) {
		const struct ora_probe_meaning *one = &meanings.vec.data[i];
		size_t used = strlen(text);
		snprintf(text + used, sizeof text - used, "%s%s %u:%s of %s", i ? ", " : "",
			one->function ? one->function : "?", one->line, one->path, one->variable);
	}
	ora_probe_meanings_deinit(&meanings);
	ora_probe_index_deinit(&index);
	return text;
}

static const char section[] = "p1__a__2 main 12:a 9:s.f[2]\n"
			      "p2__b f 3:b\n"
			      "p2__b g 7:b\n"
			      "p3__c h 1:c\np3__c h 1:c\n"
			      "p4__d h 1:d\np4__d h 2:d\n";

static void the_section_tells(void **state)
{
	(void)state;
	assert_string_equal(meaning(section, "xstep", "p1__a__2", 2, "main"),
		"main 12:a of a, main 9:s.f[2] of s");
	/* The function tells two files' apart, and may be any that is active. */
	assert_string_equal(meaning(section, "xstep", "p2__b", 1, "x g main"), "g 7:b of b");
	assert_string_equal(meaning(section, "xstep", "p3__c", 1, "h"), "h 1:c of c");
}

static void what_is_not_sure_is_not_known(void **state)
{
	(void)state;
	assert_string_equal(meaning(section, "xstep", "p4__d", 1, "h"),
		"of a name that .xstep.probes has more than once");
	assert_string_equal(meaning(section, "xstep", "p2__b", 1, "main"),
		"at a pc that by the DWARF is not in the probe's function");
	assert_string_equal(meaning(section, "xstep", "p1__a__2", 3, "main"),
		"of a probe that has another number of operands in .xstep.probes");
	assert_string_equal(meaning(section, "libc", "p2__b", 1, "f"),
		"of other providers, which do not say what their operands are");
}

static void without_the_section_the_name_tells(void **state)
{
	static const char unknown[] = "that neither the probe's name nor .xstep.probes tells of";
	(void)state;
	assert_string_equal(meaning("", "xstep", "p7__a__bc", 2, "f"), "? 0:a of a, ? 0:bc of bc");
	assert_string_equal(meaning("", "xstep", "p7__a__bc", 1, "f"), unknown);
	assert_string_equal(meaning("", "xstep", "p7__a__2", 2, "f"), unknown);
	assert_string_equal(meaning("", "xstep", "p7__a__", 2, "f"), unknown);
	assert_string_equal(meaning("", "xstep", "p7_a", 1, "f"), unknown);
	assert_string_equal(meaning("", "xstep", "q7__a", 1, "f"), unknown);
}

static void corrupt_lines_are_counted(void **state)
{
	static const char *const lines[] = {"p1", "p1 f", "p1 f a", "p1 f 3:", "p1 f 3:a b",
		"p1 f x:a", "p1 f 3:a->b", "p1 f 99999999999:a", "p1 f 3:7", "p1 f :a"};
	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct ora_probe_index index = {0};
		ora_probe_index_read(&index, lines[i], strlen(lines[i]));
		assert_int_equal(index.unread, 1);
		assert_int_equal(index.lines.len, 0);
		ora_probe_index_deinit(&index);
	}
	/* Nothing is no line, and a NUL ends one. */
	struct ora_probe_index index = {0};
	ora_probe_index_read(&index, "\n\np1 f 1:a\0p2 f 2:b", 19);
	assert_int_equal(index.unread, 0);
	assert_int_equal(index.lines.len, 2);
	ora_probe_index_deinit(&index);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_section_tells),
		cmocka_unit_test(what_is_not_sure_is_not_known),
		cmocka_unit_test(without_the_section_the_name_tells),
		cmocka_unit_test(corrupt_lines_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
