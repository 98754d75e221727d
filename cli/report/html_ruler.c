/* html_ruler.c - a ruler over the code of a function: which blocks and which descriptions of the
 * place hold where, and what each witness says where it was asked. */
#include "cli/report/html_case.h"

enum { LANES = 60, SHORT = 90 }; /* lanes at most; characters of a label */

/* What a witness says at a pc, over all its stops there; a later one outweighs those before it. */
enum claim { CLAIM_NONE, CLAIM_ABSENT, CLAIM_LOST, CLAIM_VALUE, CLAIM_DIFFERS, CLAIM_COUNT };
static const char *const claim_class[] = {"", "absent", "lost", "value", "differs"};
static const char *const claim_text[] = {
	"", "does not list it", "has no value", "shows a value", "differs from xstep"};

static double percent(const struct cli_html_case *one, xs_addr at)
{
	const struct xs_range *all = &one->stretch;
	at = at < all->lo ? all->lo : at > all->hi ? all->hi : at;
	return 100.0 * (double)(at - all->lo) / (double)(all->hi - all->lo);
}

static void put_cursor(FILE *out, const struct cli_html_case *one)
{
	double x = percent(one, one->focus);
	cli_html(out, "<line class=\"cursor\" x1=\"%.3f%%\" x2=\"%.3f%%\" y1=\"0\" y2=\"100%%\"/>",
		x, x);
}

static void begin_lane(FILE *out, const char *class, const char *label, const char *hint)
{
	cli_html(out,
		"<div class=\"lane %s\"><span class=\"label\" title=\"%s\">%.*s%s</span><svg "
		"role=\"img\" aria-label=\"%s\">",
		class, hint, SHORT, label, strlen(label) > SHORT ? " ..." : "", hint);
}

static void put_bar(FILE *out, const struct cli_html_case *one, const char *class, xs_addr lo,
	xs_addr hi, const char *what)
{
	double left = percent(one, lo), right = percent(one, hi);
	if (hi < one->stretch.lo || lo > one->stretch.hi)
		return;
	cli_html(out,
		"<rect class=\"%s\" x=\"%.3f%%\" width=\"%.3f%%\" y=\"3\" height=\"12\" "
		"data-lo=\"%lx\" data-hi=\"%lx\"><title>%s: 0x%lx to 0x%lx</title></rect>",
		lo == hi ? "empty" : class, left, lo == hi ? 0.2 : right - left, lo, hi, what, lo,
		hi);
}

static void put_lane(FILE *out, const struct cli_html_case *one, const struct di_lane *lane)
{
	bool entry = lane->kind == DI_LANE_ENTRY;
	bool chosen = lane->verdict && !strcmp(lane->verdict, "chosen");
	XS_AUTO_FREE char *hint = xs_asprintf("%s+0x%" PRIx64 " %s%s%s",
		!entry               ? ".debug_info"
		: one->lanes.section ? one->lanes.section
				     : "",
		lane->offset, lane->title, lane->verdict ? ": " : "",
		lane->verdict ? lane->verdict : "");
	begin_lane(out, !entry ? "block" : chosen ? "entry chosen" : "entry", lane->title, hint);
	if (lane->everywhere)
		put_bar(out, one, "default", one->stretch.lo, one->stretch.hi, lane->title);
	for (size_t i = 0; i < lane->ranges.len; i++)
		put_bar(out, one, entry ? "entry" : "block", lane->ranges.data[i].lo,
			lane->ranges.data[i].hi, lane->title);
	put_cursor(out, one);
	fputs("</svg></div>\n", out);
}

static enum claim claim_of(
	const struct ora_story_point *point, size_t w, size_t judge, size_t count)
{
	const struct ora_story_said *said = &point->said[w];
	const struct ora_story_said *own = judge < count ? &point->said[judge] : NULL;
	enum claim ret = said->state == ORA_STATE_VALUE    ? CLAIM_VALUE
			 : said->state == ORA_STATE_ABSENT ? CLAIM_ABSENT
							   : CLAIM_LOST;
	if (!said->heard)
		return CLAIM_NONE;
	bool value = ret == CLAIM_VALUE && own && own->heard && own->state == ORA_STATE_VALUE;
	bool other = own && own->heard && w != judge &&
		     (value ? strcmp(said->value ? said->value : "", own->value ? own->value : "")
			    : (ret == CLAIM_VALUE) != (own->state == ORA_STATE_VALUE));
	return other ? CLAIM_DIFFERS : ret;
}

static enum claim claim_at(
	const struct cli_html_case *one, const struct cli_html_insn *insn, size_t w)
{
	size_t judge = ora_verdicts_judge(one->print->verdicts);
	enum claim ret = CLAIM_NONE;
	for (size_t i = 0; i < one->story->points.len; i++) {
		const struct ora_story_point *point = &one->story->points.data[i];
		enum claim claim = point->pc == insn->at
					   ? claim_of(point, w, judge, one->print->count)
					   : CLAIM_NONE;
		ret = claim > ret ? claim : ret;
	}
	return ret;
}

static void put_witness(FILE *out, const struct cli_html_case *one, size_t w)
{
	const char *label = cli_finding_label(one->print, w);
	enum claim last = CLAIM_NONE;
	xs_addr lo = 0, hi = 0;
	bool any = false;
	for (size_t i = 0; i < one->code.len && !any; i++)
		any = claim_at(one, &one->code.data[i], w) != CLAIM_NONE;
	if (!any)
		return;
	XS_AUTO_FREE char *hint = xs_asprintf("what %s says, by pc", label);
	begin_lane(out, "witness", label, hint);
	for (size_t i = 0; i <= one->code.len; i++) {
		bool end = i == one->code.len;
		enum claim claim = end ? CLAIM_NONE : claim_at(one, &one->code.data[i], w);
		if (last && (end || claim != last)) {
			XS_AUTO_FREE char *what = xs_asprintf("%s %s", label, claim_text[last]);
			put_bar(out, one, claim_class[last], lo, hi, what);
		}
		if (end)
			break;
		lo = claim != last ? one->code.data[i].at : lo;
		hi = one->code.data[i].end;
		last = claim;
	}
	put_cursor(out, one);
	fputs("</svg></div>\n", out);
}

/* The location list in words: what a picture only hints at, and no printer shows of hints. */
static void put_list(FILE *out, const struct cli_html_case *one)
{
	if (!one->lanes.section)
		return;
	cli_html(out,
		"<table class=\"list\"><caption>The location list in <code>%s</code></caption>\n",
		one->lanes.section);
	for (size_t i = 0; i < one->lanes.vec.len && i < LANES; i++) {
		const struct di_lane *lane = &one->lanes.vec.data[i];
		bool chosen = lane->verdict && !strcmp(lane->verdict, "chosen");
		if (lane->kind != DI_LANE_ENTRY)
			continue;
		cli_html(out, "<tr%s><td><code>+0x%lx</code></td><td><code>",
			chosen ? " class=\"chosen\"" : "", lane->offset);
		for (size_t k = 0; k < lane->ranges.len; k++)
			cli_html(out, "[0x%lx, 0x%lx)", lane->ranges.data[k].lo,
				lane->ranges.data[k].hi);
		cli_html(out, "%s</code></td><td><code>%s</code></td><td>%s</td></tr>\n",
			lane->everywhere ? "default" : "", lane->title,
			lane->verdict ? lane->verdict : "");
	}
	fputs("</table>\n", out);
}

/* Whether there is more to see than where the stop is. */
static bool is_telling(const struct cli_html_case *one)
{
	bool ret = one->lanes.found;
	for (size_t i = 0; one->story && !ret && i < one->story->points.len; i++)
		for (size_t w = 0; w < one->print->count; w++)
			ret |= one->story->points.data[i].said[w].heard;
	return ret;
}

void cli_html_ruler(FILE *out, const struct cli_html_case *one)
{
	if (one->stretch.lo >= one->stretch.hi || !one->lanes.vec.len || !is_telling(one))
		return;
	fputs("<section class=\"ruler\"><h3>Over the code</h3>\n"
	      "<p class=\"note intro\">The instructions of the function from left to right. Each "
	      "bar is "
	      "where something holds: a block of the source, a location that the compiler gives "
	      "for the variable, what a debugger shows.</p>\n",
		out);
	fputs("<p class=\"legend\"><span class=\"key block\">block</span> ", out);
	if (one->lanes.found)
		cli_html(out, "<span class=\"key entry\">%s</span> ",
			one->lanes.section ? "entry of the location list" : "location");
	if (one->story && one->story->points.len)
		fputs("<span class=\"key value\">shows a value</span> <span class=\"key "
		      "lost\">no value</span> <span class=\"key absent\">not listed</span> "
		      "<span class=\"key differs\">differs from xstep</span> ",
			out);
	fputs("<span class=\"key cursor\">the stop</span></p>\n<div class=\"lanes\">\n", out);
	for (size_t i = 0; i < one->lanes.vec.len && i < LANES; i++)
		put_lane(out, one, &one->lanes.vec.data[i]);
	for (size_t w = 0; one->story && w < one->print->count; w++)
		put_witness(out, one, w);
	cli_html(out,
		"<div class=\"lane axis\"><span class=\"label\"></span><span "
		"class=\"ends\"><code>0x%lx</code><code>0x%lx</code></span></div>\n</div>\n",
		one->stretch.lo, one->stretch.hi);
	if (one->lanes.vec.len > LANES)
		cli_html(out, "<p class=\"note\">And %zu more entries.</p>\n",
			one->lanes.vec.len - LANES);
	put_list(out, one);
	fputs("</section>\n", out);
}
