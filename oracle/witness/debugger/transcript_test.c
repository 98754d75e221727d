/* What a driver writes becomes what is told, whatever it writes. No debugger is needed. */
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "oracle/witness/debugger/transcript.h"
#include "oracle/witness/own/run.h"

/* Puts what it hears into words. */
struct scribe {
	struct ora_sink sink;
	FILE *out;
	char *text;
	size_t size;
};

static struct xs_error *on_stop(struct ora_sink *sink, const struct ora_told *told)
{
	FILE *out = ((struct scribe *)sink)->out;
	fprintf(out, "stop %lu.%lu %lx<-%lx %s:%u", (unsigned long)told->number,
		(unsigned long)told->n, (unsigned long)told->place->address,
		told->prev ? (unsigned long)told->prev->address : 0, told->place->function,
		told->place->line);
	for (size_t i = 0; i < told->frames.len; i++) {
		const struct ora_store_frame *frame = &told->frames.data[i];
		fprintf(out, " <%s%s", frame->function, frame->tail ? "^" : "");
		if (frame->address != XS_ADDR_NONE)
			fprintf(out, "@%x", (unsigned)frame->address);
	}
	for (size_t i = 0; i < told->facts.len; i++) {
		const struct ora_told_fact *fact = &told->facts.data[i];
		fprintf(out, " %s/%lu=%s", fact->path, (unsigned long)fact->key,
			fact->value ? fact->value : ora_state_text(fact->state));
		if (fact->why)
			fprintf(out, "(%s)", fact->why);
	}
	for (size_t i = 0; i < told->regs.len; i++)
		fprintf(out, " %s=%lx", told->regs.data[i].name,
			(unsigned long)told->regs.data[i].value);
	for (size_t i = 0; i < told->texts.len; i++)
		fprintf(out, " %s:%s", told->texts.data[i].name, told->texts.data[i].text);
	putc('\n', out);
	return NULL;
}

static void on_transition(struct ora_sink *sink, const struct ora_told_transition *told)
{
	fprintf(((struct scribe *)sink)->out, "%lx->%lx %lu%s\n",
		told->prev ? (unsigned long)told->prev->address : 0,
		(unsigned long)told->place->address, (unsigned long)told->count,
		told->foreign ? " by xstep" : "");
}

static void on_trouble(struct ora_sink *sink, const char *message)
{
	fprintf(((struct scribe *)sink)->out, "trouble: %s\n", message);
}

static const struct ora_sink_ops ops = {
	.stop = on_stop, .transition = on_transition, .trouble = on_trouble};

static void lines_become_what_is_told(void **state)
{
	static const struct {
		const char *line, *told;
	} cases[] = {
		{"{'kind':'stop','stop':1,'prev':null,'pc':'0x10','n':1,'function':'f','file':'a.c'"
		 ","
		 "'line':3,'column':null,'inlined':['g'],'shown':{'function':'f'},"
		 "'regs':{'rax':'0xff'}}",
			"stop 1.1 10<-0 f:3 <f rax=ff\n"},
		/* Variables that look the same are told apart by nth. */
		{"{'kind':'stop','stop':2,'prev':'0x10','pc':'0x12','n':1,'function':'f','line':4,"
		 "'frames':[{'function':'f','pc':null},{'function':'main','pc':'0x1f','tail':true}]"
		 ",'frame_count':2,'vars':["
		 "{'path':'i','var':'i','scope':'f','decl':{'line':1},'state':'value','value':'5'},"
		 "{'path':'i','var':'i','scope':'f','decl':{'line':1},'state':'absent','nth':1},"
		 "{'path':'i','var':'i','scope':'f','decl':{'line':1},'state':'optimized-out'}]}",
			"stop 2.1 12<-10 f:4 <f <main^@1f i/1=5 i/2=absent i/1=optimized-out\n"},
		{"{'kind':'stop','stop':3,'prev':'0x12','pc':'0x14','n':1,'texts':{'s':'{a = 1}'}}",
			"stop 3.1 14<-12 (null):0 s:{a = 1}\n"},
		/* What is no fact is left out. */
		{"{'kind':'stop','stop':4,'prev':'0x14','pc':'0x10','n':1,'vars':["
		 "{'path':'i','state':'value'},{'var':'i','state':'value'},"
		 "{'path':'i','var':'i','state':'odd'}]}",
			"stop 4.1 10<-14 f:3\n"},
		/* What the driver could not ask is an error, but not the debugger's. */
		{"{'kind':'stop','stop':5,'prev':'0x14','pc':'0x10','n':2,'vars':["
		 "{'path':'i','var':'i','state':'not-asked','message':'ours'}]}",
			"stop 5.2 10<-14 f:3 i/3=error(not-asked)\n"},
		/* A frame that was told is a number from then on; others are no frames. */
		{"{'kind':'stop','stop':6,'prev':'0x10','pc':'0x12','n':2,'frames':["
		 "{'function':'h','pc':null},1,2,3,-1,null,0]}",
			"stop 6.2 12<-10 f:4 <h <main^@1f <h <f\n"},
		/* So is a leaf that was told with a number, the next one. */
		{"{'kind':'stop','stop':7,'prev':'0x10','pc':'0x12','n':3,'vars':["
		 "{'path':'k','var':'k','decl':{'line':8},'state':'value','value':'1','number':0},"
		 "{'path':'o','var':'o','state':'value','value':'1','number':7}]}",
			"stop 7.3 12<-10 f:4 k/4=1 o/5=1\n"},
		{"{'kind':'stop','stop':8,'prev':'0x10','pc':'0x12','n':4,'vars':["
		 "[0,0,false,'value','2',null,'m'],[0,0,true,'absent'],[1,0,false,'value','3'],[-1]"
		 ","
		 "['0'],[0,0,false,'odd'],[0],[]]}",
			"stop 8.4 12<-10 f:4 k/4=2 k/4=absent\n"},
		{"{'kind':'transition','prev':null,'pc':'0x10','count':3}", "0->10 3\n"},
		{"{'kind':'transition','prev':'0x10','pc':'0x20','count':7,'counted_by':'xstep'}",
			"10->20 7 by xstep\n"},
		{"{'kind':'transition','prev':'0x10','count':7}", ""},
		{"{'kind':'trouble','message':'no line 7'}", "trouble: no line 7\n"},
		{"{'kind':'trouble'}", ""},
		{"{'kind':'alive'}", ""},
	};
	struct scribe scribe = {.sink = {.ops = &ops}};
	struct ora_question question = {.run = *state, .from = "f", .limit = 9};
	struct ora_testimony testimony = {.question = &question, .sink = &scribe.sink};
	struct ora_transcript transcript = {.testimony = &testimony};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *text = strdup(cases[i].line);
		for (char *at = text; (at = strchr(at, '\''));)
			*at = '"';
		json_t *line = json_loads(text, 0, NULL);
		assert_non_null(line);
		scribe.out = open_memstream(&scribe.text, &scribe.size);
		assert_null(ora_transcript_line(
			&transcript, json_string_value(json_object_get(line, "kind")), line));
		fclose(scribe.out);
		assert_string_equal(scribe.text, cases[i].told);
		free(scribe.text);
		json_decref(line);
		free(text);
	}
	ora_transcript_deinit(&transcript);
}

static void a_stop_without_a_pc_is_refused(void **state)
{
	struct scribe scribe = {.sink = {.ops = &ops}};
	struct ora_question question = {.run = *state};
	struct ora_witness witness = {.path = (char[]){"/usr/bin/gdb"}};
	struct ora_testimony testimony = {
		.witness = &witness, .question = &question, .sink = &scribe.sink};
	struct ora_transcript transcript = {.testimony = &testimony};
	json_t *line = json_pack("{s:s}", "kind", "stop");
	struct xs_error *err = ora_transcript_line(&transcript, "stop", line);
	assert_non_null(err);
	assert_string_equal(err->message, "/usr/bin/gdb: its driver told a stop without a pc");
	xs_error_destroy(err);
	json_decref(line);
	ora_transcript_deinit(&transcript);
}

static void an_end_has_the_words_of_all_ends(void **state)
{
	static const struct {
		const char *line, *words;
	} cases[] = {
		{"{\"end\":\"returned\",\"status\":0,\"stops\":3}",
			"f returned; exited with status 0"},
		{"{\"end\":\"program\",\"signal\":\"SIGSEGV\"}",
			"killed by SIGSEGV (Segmentation fault)"},
		{"{\"end\":\"program\",\"signal\":6}", "killed by SIGABRT (Aborted)"},
		{"{\"end\":\"program\",\"signal\":\"SIGODD\"}", "killed by SIGODD"},
		{"{\"end\":\"limit\",\"status\":0}", "ended by --limit 9"},
		{"{\"end\":\"error\",\"message\":\"lost\"}", ""},
		{"{}", ""},
	};
	struct scribe scribe = {.sink = {.ops = &ops}};
	struct ora_question question = {.run = *state, .from = "f", .limit = 9};
	struct ora_testimony testimony = {.question = &question, .sink = &scribe.sink};
	struct ora_transcript transcript = {.testimony = &testimony};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		json_t *line = json_loads(cases[i].line, 0, NULL);
		assert_non_null(line);
		assert_null(ora_transcript_line(&transcript, "end", line));
		char *words = ora_ending_text(&transcript.end.ending);
		assert_string_equal(words, cases[i].words);
		free(words);
		json_decref(line);
	}
	ora_transcript_deinit(&transcript);
}

/* The run is of this very program: places are looked up in it, and nothing is run. */
static char self[PATH_MAX];
static struct ora_run run = {.path = self};

static int open_run(void **state)
{
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	self[length > 0 ? length : 0] = 0;
	*state = &run;
	return ora_run_open(&run) ? -1 : 0;
}

static int close_run(void **state)
{
	(void)state;
	ora_run_deinit(&run);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_become_what_is_told),
		cmocka_unit_test(a_stop_without_a_pc_is_refused),
		cmocka_unit_test(an_end_has_the_words_of_all_ends),
	};
	return cmocka_run_group_tests(tests, open_run, close_run);
}
