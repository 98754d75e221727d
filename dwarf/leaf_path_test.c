/* leaf_path_test.c - from a variable to a part of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "dwarf/leaf_fake.h"
#include "dwarf/words.h"

static struct di_location location;
static char text[512]; /* of the part's leaves, or the reason why there is none */
static struct fixture fixture;

/* An implicit pointer whose DIE is 1 points into v_points; no other does. */
static struct xs_error *deref(void *arg, const struct di_piece *pointer,
	const struct di_type **type, struct di_location *ret, struct di_answer *answer)
{
	(void)arg;
	if (pointer->pointer.die != 1) {
		di_answer_gone(answer, DI_WHY_OTHER, .text = {"nobody there"});
		return NULL;
	}
	Dwarf_Die die = fixture_variable(&fixture, "v_points");
	*type = di_type_of(fixture.types, &die);
	di_location_memory(fixture_address(&fixture, "v_points"), ret);
	return NULL;
}

static void on_leaf(void *arg, const struct di_leaf *leaf)
{
	size_t len = strlen(text);
	(void)arg;
	snprintf(text + len, sizeof text - len, "%s%s", len ? " " : "", leaf->text);
}

/* Follows the path from where `location` is, and flattens what is there. */
static void follow_from(const char *name, const char *path, bool star)
{
	const struct di_path_host host = {.leaf = &fixture.host, .deref = deref};
	Dwarf_Die die = fixture_variable(&fixture, name);
	struct di_part part = {.type = di_type_of(fixture.types, &die), .location = &location};
	struct di_answer answer;
	assert_null(di_path_follow(&host, path, &part, &answer));
	if (star && answer.state == DI_ANSWER_KNOWN)
		assert_null(di_path_deref(&host, &part, &answer));
	text[0] = '\0';
	if (answer.state != DI_ANSWER_KNOWN) {
		snprintf(text, sizeof text, "%s", di_answer_text(&answer, (char[DI_WORDS]){0}));
		return;
	}
	struct di_leaf_request request = {.host = &fixture.host,
		.path = name,
		.type = part.type,
		.location = part.location,
		.bit_offset = part.bit_offset,
		.bit_size = part.bit_size,
		.on_leaf = on_leaf};
	assert_null(di_leaves(&request));
}

static void follow(const char *name, const char *path)
{
	di_location_memory(fixture_address(&fixture, name), &location);
	follow_from(name, path, false);
}

static int open_fixture(void **state)
{
	(void)state;
	if (!fixture_open(&fixture, "gcc-12", "-gdwarf-5", "types_all.c")) {
		print_message("skipped: no gcc-12 on this machine\n");
		exit(77);
	}
	return 0;
}

static int close_fixture(void **state)
{
	(void)state;
	fixture_close(&fixture);
	return 0;
}

struct step {
	const char *name, *path, *text;
};

static void check(const struct step *steps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		follow(steps[i].name, steps[i].path);
		if (strcmp(text, steps[i].text))
			fail_msg("%s%s: '%s', not '%s'", steps[i].name, steps[i].path, text,
				steps[i].text);
	}
}

static void paths_lead_to_parts(void **state)
{
	static const struct step steps[] = {
		{"v_int", "", "-2147483648"}, {"v_point", ".y", "-2"}, {"v_point", " . y ", "-2"},
		{"v_points", "[1]", "3 4"}, {"v_points", "[1].x", "3"},
		{"v_points", "[0x1].x", "3"}, {"v_points", "->y", "2"},
		{"v_matrix", "[1]", "4 5 6"}, {"v_matrix", "[1][2]", "6"},
		{"v_cube", "[1][0][1]", "4"}, {"v_struct", ".in.f[1]", "1.5"},
		{"v_union", ".bytes[3]", "63"}, {"v_anonymous", ".hi", "2"},
		{"v_anonymous", ".after", "4"}, {"v_bits", ".a", "-4"},
		{"v_bits", ".d", "-549755813888"}, {"v_packed", ".d", "4611686018427387905"},
		{"v_bits_mixed", ".in[1].x", "3"}, {"v_bits_union", ".high", "703710"},
		{"v_vector", "[3]", "-4"}, {"v_cdouble", ".imag", "0.25"},
		{"v_cfloat", ".real", "1.5"}, {"v_node", "->next", "struct node is not a pointer"},
		{"v_node", ".next->value", "2"}, {"v_node", ".next[0].value", "2"},
		{"v_pointer", "[0]", "-2147483648"}, {"v_pointer_pointer", "[0][0]", "-2147483648"},
		{"v_pointers", "[0][0]", "-2147483648"}, {"v_second", "[0]", "3 4"},
		{"v_second", "[-1]", "1 2"}, {"v_second", "[-1].y", "2"},
		{"v_flexible", ".items[0]", "3"}, {"v_flexible", ".items[1]", "4"},
		{"v_node", ".next->next->value", ""}, /* an unreadable leaf has no text */
	};
	(void)state;
	check(steps, sizeof steps / sizeof *steps);
}

static void what_does_not_fit_is_named(void **state)
{
	static const struct step steps[] = {
		{"v_point", ".z", "no member 'z' in point: is 'x' meant?"},
		{"v_anonymous", ".befor", "no member 'befor' in struct {...}: is 'before' meant?"},
		{"v_point", ".something", "no member 'something' in point"},
		{"v_int", ".x", "int has no members"},
		{"v_int", "->x", "int is not a pointer"},
		{"v_int", "[0]", "int is neither an array nor a pointer"},
		{"v_node", ".next.value", "struct node * is a pointer: use ->"},
		{"v_incomplete", "->x", "struct incomplete: incomplete type"},
		{"v_incomplete", "[1]", "the size of struct incomplete is not known"},
		{"v_void_pointer", "->x", "void: void has no values"},
		{"v_array", "[3]", "index 3 is outside of int [3]"},
		{"v_array", "[-1]", "index -1 is outside of int [3]"},
		{"v_matrix", "[0][3]", "index 3 is outside of int [3]"},
		{"v_flexible", ".items[-1]", "index -1 is outside of int []"},
		{"v_cfloat", ".x", "no member 'x' in complex float, which has real and imag"},
		{"v_point", "x", "expected '.', '->' or '[' at 'x'"},
		{"v_point", ".", "expected a member's name at ''"},
		{"v_point", ".1", "no member '1' in point: is 'x' meant?"},
		{"v_array", "[", "expected a number at ''"},
		{"v_array", "[x]", "expected a number at 'x]'"},
		{"v_array", "[1", "expected ']' at ''"},
		{"v_array", "[99999999999999999999]",
			"expected a number at '99999999999999999999]'"},
	};
	(void)state;
	check(steps, sizeof steps / sizeof *steps);
}

static void a_star_is_a_step_too(void **state)
{
	(void)state;
	di_location_memory(fixture_address(&fixture, "v_pointer"), &location);
	follow_from("v_pointer", "", true);
	assert_string_equal(text, "-2147483648");
	di_location_memory(fixture_address(&fixture, "v_array"), &location);
	follow_from("v_array", "", true);
	assert_string_equal(text, "1");
	di_location_memory(fixture_address(&fixture, "v_int"), &location);
	follow_from("v_int", "", true);
	assert_string_equal(text, "int is not a pointer");
}

static void implicit_pointers_are_followed(void **state)
{
	(void)state;
	/* v_node.next is implicit: 8 bytes into v_points, which pass for a struct node. */
	di_location_memory(0, &location);
	location.composite = true;
	location.count = 2;
	location.piece[0] = (struct di_piece){.kind = DI_PIECE_EMPTY, .bit_size = 64};
	location.piece[1] = (struct di_piece){
		.kind = DI_PIECE_POINTER, .bit_size = 64, .pointer = {.die = 1, .offset = 8}};
	follow_from("v_node", ".next->value", false);
	assert_string_equal(text, "3");
	di_location_memory(0, &location);
	location.piece[0] = (struct di_piece){.kind = DI_PIECE_POINTER, .pointer = {.die = 2}};
	follow_from("v_pointer", "[0]", false);
	assert_string_equal(text, "nobody there");
	di_location_memory(0, &location);
	location.piece[0] =
		(struct di_piece){.kind = DI_PIECE_POINTER, .pointer = {.die = 1, .offset = 4}};
	follow_from("v_pointer", "", true);
	assert_string_equal(text, "2");
	/* A pointer to void takes the type of what it points to. */
	di_location_memory(0, &location);
	location.piece[0] = (struct di_piece){.kind = DI_PIECE_POINTER, .pointer = {.die = 1}};
	follow_from("v_void_pointer", "", true);
	assert_string_equal(text, "1 2 3 4");
}

static void lost_pointers_are_not_followed(void **state)
{
	(void)state;
	di_location_memory(0, &location);
	location.piece[0].kind = DI_PIECE_EMPTY;
	follow_from("v_pointer", "[0]", false);
	assert_string_equal(text, "an empty piece");
	di_answer_gone(&location.answer, DI_WHY_OTHER, .text = {"no location"});
	follow_from("v_node", ".next->value", false);
	assert_string_equal(text, "no location");
}

static void variable_arrays_are_entered(void **state)
{
	static const short rows[] = {1, 2, 3, 4, 5, 6};
	(void)state;
	fixture.bound = 3;
	di_location_memory(0, &location);
	location.piece[0] = (struct di_piece){.kind = DI_PIECE_BYTES,
		.bytes = {.data = (const uint8_t *)rows, .size = sizeof rows}};
	follow_from("rows", "[1][1]", false);
	assert_string_equal(text, "5");
	follow_from("rows", "[1][3]", false);
	assert_string_equal(text, "index 3 is outside of short int []");
}

/* Where an element is does not depend on a bound that is gone; where a row is, it does. */
static void a_bound_that_is_gone_hides_no_element(void **state)
{
	static const int row[] = {7, 8, 9};
	(void)state;
	fixture.bound_gone = true;
	di_location_memory(0, &location);
	location.piece[0] = (struct di_piece){.kind = DI_PIECE_BYTES,
		.bytes = {.data = (const uint8_t *)row, .size = sizeof row}};
	follow_from("row", "[2]", false);
	assert_string_equal(text, "9");
	follow_from("row", "[-1]", false);
	assert_string_equal(text, "index -1 is outside of int []");
	follow_from("rows", "[1][1]", false);
	assert_non_null(strstr(text, "bound"));
	fixture.bound_gone = false;
}

static void references_stand_for_what_they_refer_to(void **state)
{
	static const struct step steps[] = {
		{"v_both", ".x", "7"},
		{"v_both", ".Base.x", "7"},
		{"v_both", ".left", "1"},
		{"v_both_reference", ".own", "8"},
		{"v_both_reference", ".Left", "1"},
		{"v_both", ".shared", "no member 'shared' in Both"},
	};
	(void)state;
	if (!fixture_open(&fixture, "g++-12", "-gdwarf-5", "types_all.cpp")) {
		print_message("skipped: no g++-12 on this machine\n");
		skip();
	}
	check(steps, sizeof steps / sizeof *steps);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(paths_lead_to_parts, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(
			what_does_not_fit_is_named, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(a_star_is_a_step_too, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(
			implicit_pointers_are_followed, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(
			lost_pointers_are_not_followed, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(
			variable_arrays_are_entered, open_fixture, close_fixture),
		cmocka_unit_test_setup_teardown(
			a_bound_that_is_gone_hides_no_element, open_fixture, close_fixture),
		cmocka_unit_test(references_stand_for_what_they_refer_to),
	};
	return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
