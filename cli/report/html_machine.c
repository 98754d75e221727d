/* html_machine.c - a DWARF expression as a machine: its operators with the stack after each, as
 * they are, and beside it with the mistake that somebody is named for. */
#include "cli/report/html_case.h"

static void put_steps(FILE *out, const struct ora_working *working)
{
	fputs("<ol class=\"steps\">\n", out);
	for (size_t i = 0; i < working->steps.len; i++) {
		const struct ora_working_step *step = &working->steps.data[i];
		if (step->remark) {
			cli_html(out, "<li class=\"remark\">%s</li>\n", step->text);
			continue;
		}
		cli_html(out, "<li><code class=\"op\">%s</code><span class=\"stack\">", step->text);
		for (size_t k = 0; k < step->stack.len; k++)
			cli_html(out, "<code>%s</code>", step->stack.data[k]);
		if (!step->stack.len)
			fputs("<i>empty</i>", out);
		fputs("</span></li>\n", out);
	}
	fputs("</ol>\n", out);
}

static void put_working(FILE *out, const struct ora_working *working, const char *title,
	const char *class, const char *path, bool placed)
{
	cli_html(out, "<div class=\"working %s\"><h4>%s</h4>\n", class, title);
	if (placed && working->place)
		cli_html(out, "<p class=\"bytes\"><code>%s</code></p>\n", working->place);
	if (working->steps.len)
		put_steps(out, working);
	else
		fputs("<p class=\"note\">No operator is evaluated.</p>\n", out);
	if (working->value)
		cli_html(out, "<p class=\"result\"><code>%s = %s</code></p></div>\n", path,
			working->value);
	else
		cli_html(out, "<p class=\"result\"><code>%s</code>: %s</p></div>\n", path,
			working->there ? ora_state_text(working->state) : "the frame is not there");
}

void cli_html_machine(FILE *out, const struct cli_html_case *one)
{
	const struct ora_workings *workings = &one->workings;
	const char *path = one->finding->difference->path;
	const struct ora_rule *rule = ora_rule_of(workings->mistake);
	if (!workings->right.there || (!workings->right.steps.len && !workings->mistake))
		return;
	fputs("<section class=\"machine\"><h3>How the DWARF is read</h3>\n"
	      "<p class=\"note intro\">The debug information says where a variable is by a small "
	      "program "
	      "for a stack machine. Here it runs, operator by operator, with the stack behind "
	      "each.</p>\n"
	      "<p class=\"controls\" hidden><button data-step=\"first\">|&lt;</button> <button "
	      "data-step=\"back\">&lt; back</button> <button data-step=\"on\">step &gt;</button> "
	      "<button data-step=\"last\">&gt;|</button> <output></output></p>\n"
	      "<div class=\"workings\">\n",
		out);
	put_working(out, &workings->right, "As the standard has it", "right", path, true);
	if (workings->mistake) {
		const char *debugger = di_mistake_debugger(workings->mistake);
		XS_AUTO_FREE char *title =
			rule ? xs_asprintf("With the mistake: %s %s", debugger, rule->sentence)
			     : xs_asprintf("With the mistake of %s", debugger);
		const char *right = workings->right.place, *wrong = workings->wrong.place;
		put_working(out, &workings->wrong, title, "wrong", path,
			wrong && (!right || strcmp(right, wrong) != 0));
	}
	fputs("</div></section>\n", out);
}
