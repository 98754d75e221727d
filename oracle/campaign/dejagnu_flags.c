/* dejagnu_flags.c - which options of a test are passed on to compilers: dejagnu.h, rule 4. */
#include "oracle/campaign/dejagnu.h"

#include <fnmatch.h>
#include <string.h>

static bool is_one_of(const char *flag, const char *const *patterns)
{
	for (; *patterns; patterns++)
		if (!fnmatch(*patterns, flag, 0))
			return true;
	return false;
}

/* Options whose answers are ours, that only say something, or write what nobody reads. */
static const char *const dropped[] = {"-O", "-O[0-3sgz]", "-Ofast", "-g", "-g[0-3]", "-ggdb*",
	"-gdwarf*", "-gno-*", "-gas-*", "-gstatement-frontiers", "-gvariable-location-views*",
	"-ginline-points", "-gstrict-dwarf", "-gcolumn-info", "-w", "-W", "-W[!lap]*",
	"-W[lap][!,]*", "-pedantic", "-pedantic-errors", "-fdump-*", "-fdiagnostics-*",
	"-fno-diagnostics-*", "-fopt-info*", "-fcompare-debug*", "-fstack-usage",
	"-fmessage-length=*", "-fmax-errors=*", "-save-temps", "--save-temps", "-lm", NULL};

/* Of -f and -m, what may reach for files, programs, other libraries or another ABI. */
static const char *const refused[] = {"-fplugin*", "-fpass-*", "-fprofile*", "-fno-profile*",
	"-fauto-profile*", "-ftest-coverage", "-fcoverage*", "-fcs-profile*", "-fmemory-profile*",
	"-fbranch-probabilities", "-fcallgraph-info*", "-flto*", "-fno-lto*", "-fthinlto*",
	"-fuse-ld*", "-fuse-linker-plugin", "-fsanitize*", "-fopenmp*", "-fopenacc*", "-foffload*",
	"-fmodule*", "-fmodules*", "-fimplicit-module*", "-fprebuilt*", "-fbuild-session*",
	"-fcrash-diagnostics*", "-fself-test*", "-fsave-*", "-frecord-*", "-fgo-*", "-fdebug-*",
	"-fsyntax-only", "-fpreprocessed", "-fdirectives-only", "-fworking-directory", "-fpch*",
	"-femit-*", "-fembed*", "-fxray*", "-finstrument*", "-ftime-*", "-fmem-report*", "-fplan*",
	"-fcompare-elim-*", "-fdbg-cnt*", "-fdisable-*", "-fenable-*", "-fdepfile*", "-fdeps*",
	"-fada-*", "-fdump*", "-ffile-*", "-fmacro-*", "-fproc-*", "-fintegrated-*",
	"-fno-integrated-*", "-fgnu-tm", "-fsplit-stack", "-mllvm", "-mmlir", "-m16", "-m32",
	"-mx32", "-miamcu", "-mandroid", "-mdll", "-mconsole", "-mwindows", "-mfentry*",
	"-mlinker*", NULL};

/* Of -f, those whose value is a word or a number, and no name of anything. */
static const char *const with_value[] = {"-falign-*=*", "-fexcess-precision=*", "-ffp-contract=*",
	"-fpack-struct=*", "-ftree-parallelize-loops=*", "-fvect-cost-model=*",
	"-fsimd-cost-model=*", "-fstack-reuse=*", "-ftls-model=*", "-fvisibility=*",
	"-fcf-protection=*", "-ftree-vectorizer-verbose=*", "-fira-algorithm=*", "-fira-region=*",
	"-fsched-*=*", "-finline-limit=*", "-ffixed-point-*=*", "-fabi-version=*",
	"-ftrivial-auto-var-init=*", "-ftemplate-depth=*", "-fstrong-eval-order=*",
	"-fzero-call-used-regs=*", "-flive-patching=*", NULL};

static const char small[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-,";
static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* Whether the characters up to a `=` are all of one set, and those behind it of another. */
static bool is_made_of(const char *text, const char *before, const char *behind)
{
	size_t length = strspn(text, before);
	if (!length || (text[length] && text[length] != '='))
		return false;
	const char *value = text + length + (text[length] == '=');
	return strspn(value, behind) == strlen(value);
}

enum ora_dejagnu_flag ora_dejagnu_judge(const char *flag)
{
	bool passed = false;
	if (is_one_of(flag, dropped))
		return ORA_FLAG_DROPPED;
	if (is_one_of(flag, refused))
		return ORA_FLAG_REFUSED;
	if (!strncmp(flag, "-f", 2))
		passed = (is_made_of(flag + 2, small, plain) &&
				 (!strchr(flag, '=') || is_one_of(flag, with_value))) ||
			 !strcmp(flag, "-fPIC") || !strcmp(flag, "-fPIE");
	else if (!strncmp(flag, "-m", 2))
		passed = is_made_of(flag + 2, "abcdefghijklmnopqrstuvwxyz0123456789-.", plain);
	else if (!strncmp(flag, "-std=", 5))
		passed = flag[5] && strspn(flag + 5, "abcdefghijklmnopqrstuvwxyz0123456789:") ==
					    strlen(flag + 5);
	else if (!strncmp(flag, "-D", 2))
		passed = is_made_of(flag + 2, name, plain);
	else if (!strncmp(flag, "-U", 2))
		passed = flag[2] && strspn(flag + 2, name) == strlen(flag + 2);
	else if (!strncmp(flag, "--param=", 8))
		passed = strchr(flag + 8, '=') && is_made_of(flag + 8, small, "0123456789");
	else
		passed = !strcmp(flag, "-ansi");
	return passed ? ORA_FLAG_PASSED : ORA_FLAG_REFUSED;
}
