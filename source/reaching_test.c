/* reaching_test.c - what a variable holds on a line, by the writes that reach it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "source/reaching.h"

/* What `x` and its parts hold on the line that says HERE, as a word. Each text is a function's
 * body, with things to refer to around it. */
static const struct {
	const char *body, *variable, *holds;
	int live; /* behind that line's store; -1: there is none */
} cases[] = {
	/* straight on */
	{"int x = 3;\nHERE", "x", "constant", -1},
	{"int x;\nHERE", "x", "unset", -1},
	{"int x = far();\nHERE", "x", "anything", -1},
	{"HERE", "a", "anything", -1},
	{"int x = 1;\nx = 2;\nHERE", "x", "constant", -1},
	{"int x /* = 1 */ = 4, y;\ny /* += */ = x = 5;\nHERE", "y", "constant", -1},
	{"int *x = &g;\nHERE", "x", "constant", -1},
	{"int *x = table;\nHERE", "x", "constant", -1},
	{"enum { K } x = K;\nHERE", "x", "constant", -1},
	/* conditions */
	{"int x = 1;\nif (a) x = 2;\nHERE", "x", "anything", -1},
	{"int x;\nif (a) x = 2;\nHERE", "x", "unset", -1},
	{"int x;\nif (a) x = 2; else x = 2;\nHERE", "x", "constant", -1},
	{"int x;\nif (a) x = 2; else return;\nHERE", "x", "constant", -1},
	{"int x;\nif (a) x = 2; else abort();\nHERE", "x", "constant", -1},
	{"int x = 1;\na && (x = 2);\nHERE", "x", "anything", -1},
	{"int x = 1;\na ? (x = 2) : 3;\nHERE", "x", "anything", -1},
	{"int x = 1;\na ? (x = 2) : (x = 2);\nHERE", "x", "constant", -1},
	{"int x = 1;\n(void)(a, x = 2);\nHERE", "x", "constant", -1},
	{"int x = 1;\na ?: (x = 2);\nHERE", "x", "anything", -1},
	{"int x;\ndo { x = 3; } while (0);\nHERE", "x", "constant", -1},
	{"int x;\nwhile (1) { x = 3; if (a) break; }\nHERE", "x", "constant", -1},
	{"int x;\nwhile (a) { x = 3; }\nHERE", "x", "unset", -1},
	/* loops */
	{"int x;\nfor (x = 0; x < 3; x++)\nHERE", "x", "induction", 1},
	{"int x = 0;\nfor (; x < 3; x++)\nHERE", "x", "induction", 1},
	{"int x = 0;\nfor (;; x = x + 2)\nHERE", "x", "induction", -1},
	{"int x = 0;\nwhile (a) { \nHERE\n x -= 1; }", "x", "induction", 0},
	{"int x = 0;\nwhile (a) { \nHERE\n x -= a; }", "x", "anything", 1},
	{"int x = 0;\nfor (int i = 0; i < 3; i++) { \nHERE\n if (a) continue;\nx = 1; }", "x",
		"anything", -1},
	{"int x = 0;\nfor (int i = 0; i < 3; i++) { x = 1; if (a) continue;\nHERE\n x = 2; }", "x",
		"constant", -1},
	{"int x = 1;\nfor (int i = 0; i < 3; i++)\nx = 1;\nHERE", "x", "constant", -1},
	/* jumps */
	{"int x = 1;\nagain: \nHERE\n x = 2; if (a) goto again;", "x", "anything", -1},
	{"int x = 1;\ngoto out; x = 2;\nout: \nHERE", "x", "constant", -1},
	{"int x = 1;\nvoid *to = &&out; goto *to;\nout: \nHERE", "x", "unset", -1},
	{"int x = 1;\nswitch (a) { case 1: x = 2; break; case 2: x = 3; }\nHERE", "x", "anything",
		-1},
	{"int x;\nswitch (a) { case 1: x = 2; break; default: x = 2; }\nHERE", "x", "constant", -1},
	{"int x;\nswitch (a) { case 1: x = 2; default: x = 3; }\nHERE", "x", "constant", -1},
	{"int x = 1;\nswitch (a) { case 1: x = 2; case 2: \nHERE\n }", "x", "anything", -1},
	/* addresses */
	{"int x = 1;\nfarp(&x);\nHERE", "x", "unset", -1},
	{"int x = 1;\n*&x = 2;\nHERE", "x", "constant", -1},
	{"int x = 1;\nif (&x == gp) a = 1;\nHERE", "x", "constant", -1},
	{"int x = 1, *p = &x;\n*p = 2;\nHERE", "x", "constant", -1},
	{"int x = 1, *p = &x;\n*p = x;\nHERE", "x", "constant", -1},
	{"int x = 1, *p = &x;\n*p = far();\nHERE", "x", "anything", -1},
	{"int x = 1, *p = &x;\nfarp(p);\nHERE", "x", "unset", -1},
	{"int x = 1, *p = &x;\nfarp(&*p);\nHERE", "x", "unset", -1},
	{"int x = 1;\n*(char *)&x = 2;\nHERE", "x", "unset", -1},
	{"int x = 1; char *p = (char *)&x;\n*p = 2;\nHERE", "x", "unset", -1},
	{"int b = 1, *x = &b;\nfarp(&b);\nHERE", "x", "constant", -1},
	{"int b[2], *x = b;\nHERE", "x", "anything", -1},
	{"int x = 1;\n__asm__(\"\" : \"+r\"(x));\nHERE", "x", "unset", -1},
	/* what cannot be made out */
	{"int x = 1;\nSET(x, 2);\nHERE", "x", "unset", -1},
	{"int x = 1;\nx GETS 2;\nHERE", "x", "unset", -1},
	{"int x = 1;\nif (setjmp(buf)) x = 1;\nHERE", "x", "unset", -1},
	{"int x = 1;\n(void)sizeof(x = 2);\nHERE", "x", "constant", -1},
	/* parts */
	{"struct s x;\nx.f = 1; x.e[2] = 2;\nHERE", "x.f", "constant", -1},
	{"struct s x;\nx.f = 1; x.e[2] = 2;\nHERE", "x.e[2]", "constant", -1},
	{"struct s x;\nx.f = 1; x.e[2] = 2; x.e[a] = 3;\nHERE", "x.e[2]", "anything", -1},
	{"struct s x;\nx.f = 1; x = gs;\nHERE", "x.f", "anything", -1},
	{"struct s x;\nx.f = 1; farp(&x);\nHERE", "x.f", "unset", -1},
	{"struct s x;\nx.u.i = 1; x.u.j = 2;\nHERE", "x.u.i", NULL, -1},
};

static const char before[] =
	"typedef long jmp_buf[8]; jmp_buf buf; int setjmp(jmp_buf);\n"
	"void abort(void) __attribute__((noreturn));\n"
	"struct s { int f, e[4]; union { int i, j; } u; } gs;\n"
	"int g, *gp, table[4]; int far(void); void farp(void *); void abort(void);\n"
	"\n#define SET(a, b) a = b\n#define GETS =\n"
	"void test(int a)\n{\n";

static size_t find(const struct src_facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->variables.len; i++) {
		const struct src_variable *one = &facts->variables.data[i];
		if (!strcmp(one->path ? one->path : one->name, name))
			return i;
	}
	return SRC_NOWHERE;
}

/* The line of the text that HERE is on, where a store takes its place. */
static unsigned line_of_here(char *text)
{
	char *here = strstr(text, "HERE");
	assert_non_null(here);
	for (size_t i = 0; i < 4; i++)
		here[i] = "g++;"[i];
	unsigned line = 1;
	for (; here > text; here--)
		line += here[-1] == '\n';
	return line;
}

static void test_what_is_held(void **state)
{
	static const char *const words[] = {[SRC_HOLDS_ANYTHING] = "anything",
		[SRC_HOLDS_CONSTANT] = "constant",
		[SRC_HOLDS_INDUCTION] = "induction",
		[SRC_HOLDS_UNSET] = "unset"};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct src_facts facts;
		struct src_unit *unit = NULL;
		XS_AUTO_FREE char *text = xs_asprintf("%s%s\n}\n", before, cases[i].body);
		unsigned line = line_of_here(text);
		char path[] = "/tmp/xstep-reaching-XXXXXX.c";
		int fd = mkstemps(path, 2);
		assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
		close(fd);
		struct xs_error *err = src_unit_open(path, NULL, 0, &unit);
		unlink(path);
		assert_null(err);
		src_facts_collect(unit, &facts);
		size_t variable = find(&facts, cases[i].variable);
		const char *holds = variable == SRC_NOWHERE
					    ? NULL
					    : words[src_holds_on(&facts, variable, 0, line)];
		if (cases[i].holds ? !holds || strcmp(holds, cases[i].holds) != 0 : holds != NULL)
			fail_msg("%s: %s holds %s", cases[i].body, cases[i].variable,
				holds ? holds : "nothing: there is no such variable");
		for (size_t k = 0; k < facts.stores.len && cases[i].live >= 0; k++)
			if (facts.stores.data[k].line == line &&
				src_is_live(&facts, variable, facts.stores.data[k].point) !=
					cases[i].live)
				fail_msg("%s: %s is %s", cases[i].body, cases[i].variable,
					cases[i].live ? "not live" : "live");
		src_facts_deinit(&facts);
		src_unit_destroy(unit);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_is_held)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
