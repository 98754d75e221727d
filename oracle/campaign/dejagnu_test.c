/* dejagnu_test.c - what tests of gcc's say of themselves: which are run here, and with which
 * options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "oracle/campaign/dejagnu.h"

static const char *const levels[] = {"-O0", "-O2 -fno-inline", NULL};

/* What comes of a comment: flags, or a reason that begins so. */
static void expect(const char *path, const char *comment, const char *flags, const char *reason)
{
	XS_AUTO_FREE char *text =
		xs_asprintf("/* A test.  */\n/* %s */\nint main(void) { return 0; }\n", comment);
	struct ora_dejagnu test;
	ora_dejagnu_read(text, path, levels, &test);
	if (reason && (!test.reason || !strstr(test.reason, reason)))
		fail_msg("%s: '%s' and not '%s'", comment, test.reason ? test.reason : "kept",
			reason);
	if (!reason && (test.reason || strcmp(test.flags, flags) != 0))
		fail_msg("%s: '%s' and not '%s'; left out: %s", comment, test.flags, flags,
			test.reason ? test.reason : "no");
	ora_dejagnu_deinit(&test);
}

/* Selectors of the year, as a build of C++ has it. Without one they are not known. */
static void standards_of_cpp(void **state)
{
	(void)state;
	static const char *const builds[] = {"-O0 -std=gnu++17", NULL};
	static const struct {
		const char *word;
		bool kept;
	} cases[] = {{"c++11", true}, {"c++17", true}, {"c++20", false}, {"c++98_only", false},
		{"c++17_only", true}, {"c++14_down", false}, {"c++17_down", true}, {"c++", true},
		{"c++2a", false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		XS_AUTO_FREE char *text =
			xs_asprintf("// { dg-do run { target %s } }\n", cases[i].word);
		struct ora_dejagnu test;
		ora_dejagnu_read(text, "g++.dg/a.C", builds, &test);
		if (!test.reason != cases[i].kept)
			fail_msg("%s: %s", cases[i].word, test.reason ? test.reason : "kept");
		ora_dejagnu_deinit(&test);
	}
	expect("a.c", "{ dg-do run { target c++11 } }", "", "not understood");
}

static void run_tests_are_run(void **state)
{
	(void)state;
	static const struct {
		const char *comment, *flags, *reason;
	} cases[] = {
		{"nothing", "", NULL},
		{"{ dg-do run }", "", NULL},
		{"{ dg-do compile }", "", "is not to be run"},
		{"{ dg-do link }", "", "is not to be run"},
		{"{ dg-options \"-fwrapv\" }", "", "is not to be run"},
		{"{ dg-do run { target lp64 } }", "", NULL},
		{"{ dg-do run { target { { i?86-*-* x86_64-*-* } && lp64 } } }", "", NULL},
		{"{ dg-do run { target { { i?86-*-* x86_64-*-* } && { ! ia32 } } } }", "", NULL},
		{"{ dg-do run { target { { i?86-*-* x86_64-*-* } && ia32 } } }", "",
			"other machines"},
		{"{ dg-do run { target arm*-*-* } }", "", "other machines"},
		{"{ dg-do run { target arm*-*-* x86_64-*-linux* } }", "", NULL},
		{"{ dg-do run { target whatever } }", "", "not understood"},
		{"{ dg-do run { target { whatever || lp64 } } }", "", NULL},
		{"{ dg-do run { xfail powerpc*-*-* } }", "", NULL},
		{"{ dg-do run { xfail { ! aarch64*-*-* } } }", "", "expected to fail"},
		{"{ dg-do run { target { lp64 && int128 || ia32 } } }", "", "not understood"},
		{"{ dg-do run { target lp64 }", "", "not understood"},
		{"{ dg-do run } { dg-shouldfail \"\" }", "", "expected to fail"},
		{"{ dg-do run } { dg-magic 7 }", "", "not understood"},
		{"{ dg-do run } { dg-final { scan-tree-dump \"x\" \"y\" } }", "", NULL},
		{"{ dg-do run } { dg-additional-sources \"other.c\" }", "", "needs other files"},
		{"{ dg-do run } { dg-require-effective-target int32plus }", "", NULL},
		{"{ dg-do run } { dg-require-effective-target vmx_hw }", "", "other machines"},
		{"{ dg-do run } { dg-require-effective-target vmx_hw { target avr-*-* } }", "",
			NULL},
		{"{ dg-do run } { dg-require-effective-target vmx_hw { target *-*-linux* } }", "",
			"other machines"},
		{"{ dg-do run } { dg-require-effective-target avx512f_runtime }", "",
			"not understood"},
		{"{ dg-do run } { dg-require-profiling \"-fprofile-generate\" }", "",
			"not understood"},
		{"{ dg-do run } { dg-add-options ieee }", "", NULL},
		{"{ dg-do run } { dg-add-options arm_neon }", "", "not understood"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect("/t/gcc.dg/torture/a.c", cases[i].comment, cases[i].flags, cases[i].reason);
	/* Where all tests are run. */
	expect("/t/gcc.c-torture/execute/a.c", "{ dg-options \"-fwrapv\" }", "-fwrapv", NULL);
	expect("/t/gcc.c-torture/execute/a.c", "{ dg-do compile }", "", "is not to be run");
}

static void tests_are_for_all_levels_or_left_out(void **state)
{
	(void)state;
	static const struct {
		const char *words, *reason;
	} cases[] = {
		{"\"\" { *-*-* } { \"-O0\" } { \"\" }", "all these levels"},
		{"\"\" { *-*-* } { \"*\" } { \"-O0\" }", "all these levels"},
		{"\"\" { *-*-* } { \"-O3\" \"-flto\" } { \"\" }", NULL},
		{"\"\" { ! run_expensive_tests } { \"*\" } { \"-O0\" \"-O2\" }", NULL},
		{"\"\" { ! run_expensive_tests } { \"*\" } { \"-O2\" }", "all these levels"},
		{"\"\" { *-*-* }", "other machines"},
		{"\"why\" { hppa*-*-hpux* || avr-*-* }", NULL},
		{"\"why\" { whatever }", "not understood"},
		{"\"why\" { whatever } { \"-flto\" }", NULL},
		{"\"requires io\" { freestanding }", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		XS_AUTO_FREE char *text =
			xs_asprintf("{ dg-do run } { dg-skip-if %s }", cases[i].words);
		expect("/t/a.c", text, "", cases[i].reason);
	}
	expect("/t/a.c", "{ dg-do run } { dg-xfail-run-if \"\" { *-*-linux* } }", "",
		"expected to fail");
	expect("/t/a.c", "{ dg-do run } { dg-xfail-run-if \"\" { *-*-hpux* } }", "", NULL);
}

static void options_are_passed_on(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"{ dg-options \"-fwrapv -O3 -g -w -Wno-psabi\" }", "-fwrapv"},
		{"{ dg-options \"-fwrapv\" } { dg-options \"-ftrapv\" }", "-ftrapv"},
		{"{ dg-options \"-fwrapv\" } { dg-additional-options \"-msse2\" }",
			"-fwrapv -msse2"},
		{"{ dg-options \"-mabi=altivec\" { target powerpc-*-* } }", ""},
		{"{ dg-additional-options \"-mavx\" { target x86_64-*-* i?86-*-* } }", "-mavx"},
		{"{ dg-options \"--param max-completely-peel-times=30\" }",
			"--param=max-completely-peel-times=30"},
		{"{ dg-options \"-std=gnu99 -DEXPENSIVE -DN=3 -ansi -fdump-tree-fre1=x\" }",
			"-std=gnu99 -DEXPENSIVE -DN=3 -ansi"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		XS_AUTO_FREE char *text = xs_asprintf("{ dg-do run } %s", cases[i][0]);
		expect("/t/a.c", text, cases[i][1], NULL);
	}
	expect("/t/a.c", "{ dg-do run } { dg-options \"-fx\" { target whatever } }", "",
		"not understood");
	expect("/t/a.c", "{ dg-do run } { dg-options \"-fwrapv -fplugin=evil\" }", "",
		"not passed on");
}

static void what_could_act_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = {"-o", "-oevil", "-fplugin=evil.so", "-fplugin-arg-x-y",
		"-fpass-plugin=evil.so", "-wrapper", "@file", "-B.", "-B", "-specs=evil",
		"--specs=evil", "-specs", "-I.", "-Ievil", "-L.", "-levil", "-include", "-imacros",
		"-isystem", "-iquote.", "-Wl,-rpath,x", "-Wa,-o,x", "-Wp,-MD,x", "-Xlinker",
		"-Xassembler", "-Xclang", "-load", "-mllvm", "-fprofile-generate",
		"-fprofile-use=evil", "-fprofile-dir=x", "-ftest-coverage", "--coverage",
		"-fauto-profile=x", "-fuse-ld=evil", "-fuse-ld=/x/ld", "-flto",
		"-fsanitize=address", "-MD", "-MF", "-M", "-E", "-S", "-c", "-x", "-pipe",
		"-print-search-dirs", "--sysroot=x", "-isysroot", "-T", "-Tevil", "-dumpdir",
		"-aux-info", "-m32", "-D", "-Dx=`touch`", "-DX=$(x)", "-D1;x", "-D=x",
		"-fdebug-prefix-map=a=b", "-fx=a/b", "-foo=/x", "-march=/x", "-march=a b",
		"-std=", "-std=/x", "--param=x", "--param=x=/y", "-fcallgraph-info", "-fdepfile",
		"-static", "-shared", "-nostdlib", "-ffile-prefix-map=x", "-gsplit-dwarf", "evil.c",
		"/etc/passwd", "", "-", "--", "-fcrash-diagnostics-dir=x", "-fmodules-cache-path=x",
		"-fself-test=x", "-fopenmp", "-pthread"};
	static const char *const good[] = {"-fwrapv", "-fno-tree-sra", "-ftree-parallelize-loops=4",
		"-msse4.1", "-march=core-avx2", "-mtune=k8-sse3", "-mpreferred-stack-boundary=2",
		"-std=c2x", "-std=iso9899:1990", "-D_GNU_SOURCE", "-UFOO", "-D_FORTIFY_SOURCE=2",
		"-fPIC"};
	static const char *const none[] = {"-O", "-O0", "-O3", "-Os", "-Ofast", "-g", "-g3", "-w",
		"-Wall", "-Wno-psabi", "-Wlogical-op", "-pedantic", "-fdump-tree-all",
		"-fcompare-debug", "-fopt-info-vec=x", "-lm"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (ora_dejagnu_judge(bad[i]) == ORA_FLAG_PASSED)
			fail_msg("'%s' is passed on", bad[i]);
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		if (ora_dejagnu_judge(good[i]) != ORA_FLAG_PASSED)
			fail_msg("'%s' is not passed on", good[i]);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		if (ora_dejagnu_judge(none[i]) != ORA_FLAG_DROPPED)
			fail_msg("'%s' is not dropped", none[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(standards_of_cpp),
		cmocka_unit_test(run_tests_are_run),
		cmocka_unit_test(tests_are_for_all_levels_or_left_out),
		cmocka_unit_test(options_are_passed_on),
		cmocka_unit_test(what_could_act_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
