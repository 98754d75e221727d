/* bundle_again.c - the script of a check's report: has xstep check it once more. What a check finds
 * is a relation between whole traces, often a compiler's doing: the script is made to find out
 * which version of a compiler began it, or whether another one does the same. */
#include <jansson.h>
#include <sys/stat.h>

#include "base/private.h"
#include "cli/report/bundle.h"
#include "base/path.h"
#include "oracle/store/scene.h"

static const char head[] =
	"#!/usr/bin/env -S python3 -I\n"
	"\"\"\"Checks it once more; needs xstep and the files beside it.\n"
	"\n"
	"    ./check.py [XSTEP]\n"
	"\n"
	"XSTEP is the program to run ($XSTEP, else xstep on PATH). $BUILD, if it is set, is a "
	"command of\n"
	"the shell that builds the program anew, to which ` -o FILE` is added: another compiler's, "
	"maybe.\n"
	"Exit status: 1 while it is there, 0 once it is not, 125 if that cannot be found out, as\n"
	"`git bisect run` wants it.\n"
	"\"\"\"\n"
	"import json\n"
	"import os\n"
	"import shlex\n"
	"import subprocess\n"
	"import sys\n"
	"import tempfile\n"
	"\n";

static const char tail[] =
	"HERE = os.path.dirname(os.path.abspath(__file__))\n"
	"\n"
	"\n"
	"def is_it(one):\n"
	"    \"\"\"Whether a violation is the one: of this rule, at this line, of this "
	"variable.\"\"\"\n"
	"    place = os.path.basename(one[\"stop\"][\"file\"] or \"\"), one[\"stop\"][\"line\"]\n"
	"    return (one[\"group\"], *place, one[\"path\"]) == tuple(CASE[\"what\"])\n"
	"\n"
	"\n"
	"def main():\n"
	"    xstep = sys.argv[1] if len(sys.argv) > 1 else os.environ.get(\"XSTEP\", \"xstep\")\n"
	"    with tempfile.TemporaryDirectory() as folder:\n"
	"        words = list(CASE[\"words\"])\n"
	"        if os.environ.get(\"BUILD\"):\n"
	"            program = os.path.join(folder, CASE[\"program\"])\n"
	"            words[words.index(CASE[\"program\"])] = program\n"
	"            made = subprocess.run(os.environ[\"BUILD\"] + \" -o \" + "
	"shlex.quote(program), shell=True)\n"
	"            if made.returncode:\n"
	"                print(\"trouble: it cannot be built\")\n"
	"                return 125\n"
	"        try:\n"
	"            result = subprocess.run([xstep, *words], cwd=HERE, stdout=subprocess.PIPE,\n"
	"                                    stdin=subprocess.DEVNULL)\n"
	"        except OSError as error:\n"
	"            print(\"trouble: %s\" % error)\n"
	"            return 125\n"
	"    if result.returncode not in (0, 1):\n"
	"        print(\"trouble: exit status %d of %s\" % (result.returncode, xstep))\n"
	"        return 125\n"
	"    found = [one for one in json.loads(result.stdout)[\"violations\"] if is_it(one)]\n"
	"    print(found[0][\"reason\"] if found else \"it is not there\")\n"
	"    return 1 if found else 0\n"
	"\n"
	"\n"
	"sys.exit(main())\n";

struct xs_error *cli_bundle_again(const struct cli_bundle *report, const char *program,
	const struct ora_finding *finding, const char *file)
{
	const struct ora_difference *one = finding->difference;
	json_t *words = json_array();
	bool told = true;
	for (char *const *word = report->words; *word; word++)
		told &= !json_array_append_new(words, json_string(*word));
	json_t *what = json_pack("[s,s,I,s?]", finding->group,
		one->file ? xs_base_name(one->file) : "", (json_int_t)one->line, one->path);
	json_t *all = json_pack("{s:s,s:o,s:o}", "program", program, "words", words, "what", what);
	if (!all || !told) {
		json_decref(all);
		return xs_error_create("%s: an argument is not UTF-8", file);
	}
	XS_AUTO_FREE char *dump = json_dumps(all, JSON_INDENT(1) | JSON_ENSURE_ASCII);
	json_decref(all);
	FILE *out = xs_private_open(file, true);
	if (!out)
		return xs_error_sys("%s", file);
	fputs(head, out);
	fputs("CASE = json.loads(r'''", out);
	for (const char *at = dump; *at; at++)
		fputs(*at == '\'' ? "\\u0027" : *at == 0x7f ? "\\u007f" : (char[]){*at, 0}, out);
	fputs("''')\n", out);
	fputs(tail, out);
	bool bad = ferror(out) || fchmod(fileno(out), XS_PRIVATE_PROGRAM);
	return fclose(out) || bad ? xs_error_sys("%s", file) : NULL;
}
