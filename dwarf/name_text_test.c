/* name_text_test.c - spellings of debuggers and compilers become one name. */
#include "dwarf/name_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"

static const struct {
	const char *spelling, *plain, *last;
} names[] = {
	{"main", "main", "main"},
	{"f.constprop.0", "f", "f"},
	{".L5", ".L5", ".L5"},
	{"memcpy@plt", "memcpy", "memcpy"},
	{"ns::f(int, char const*)", "ns::f", "f"},
	{"_ZN2ns1fEi", "ns::f", "f"},
	{"_ZN2ns1fEi.part.0", "ns::f", "f"},
	{"(anonymous namespace)::scale(int)", "(anonymous namespace)::scale", "scale"},
	{"Box<int>::area() const", "Box<int>::area", "area"},
	{"int max<int>(int, int)", "max<int>", "max"},
	{"decltype(auto) get<0>(T&&)", "get<0>", "get"},
	{"int const (*addressof<int const [10]>(int const (&) [10])) [10]",
		"addressof<int const [10]>", "addressof"},
	{"void (*ns::old(int, void (*)(int)))(int)", "ns::old", "old"},
	{"int (&(anonymous namespace)::row(int)) [4]", "(anonymous namespace)::row", "row"},
	{"_ZN3BoxIiEC2Eii", "Box<int>::Box", "Box"},
	{"T::operator()(int) const", "T::operator()", "operator()"},
	{"operator/(Flags const&, int)", "operator/", "operator/"},
	{"operator<< <char>(S&, char)", "operator<<<char>", "operator<<"},
	{"T::operator bool() const", "T::operator bool", "operator bool"},
	{"operator new(unsigned long)", "operator new", "operator new"},
	{"_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()", "operator()"},
	{"outer(int)::Local::f()", "outer::Local::f", "f"},
	{"s[abi:cxx11](int)", "s", "s"},
	{"_ZN5words5parse17h0123456789abcdefE", "words::parse", "parse"},
	{"words::parse::h0123456789abcdef", "words::parse", "parse"},
	{"words::main::{closure#0}", "words::main::{closure#0}", "{closure#0}"},
	{"<words::T as core::fmt::Debug>::fmt", "<words::T as core::fmt::Debug>::fmt", "fmt"},
	{"f<(", "f<(", "f<("},
	{"", "", ""},
};

static void a_spelling_becomes_a_plain_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		XS_AUTO_FREE char *plain = di_name_plain(names[i].spelling);
		XS_AUTO_FREE char *last = di_name_last(plain);
		assert_string_equal(plain, names[i].plain);
		assert_string_equal(last, names[i].last);
	}
}

static void spaces_mean_nothing_in_a_key(void **state)
{
	(void)state;
	XS_AUTO_FREE char *one = di_name_key("v<int, std::allocator<int> >::push(int)");
	XS_AUTO_FREE char *other = di_name_key("v<int,std::allocator<int>>::push");
	XS_AUTO_FREE char *words = di_name_key("v<unsigned int>");
	assert_string_equal(one, other);
	assert_string_equal(words, "v<unsigned int>");
}

static void an_operator_with_a_slash_is_one_name(void **state)
{
	(void)state;
	assert_string_equal(di_name_in_scope("main/f"), "f");
	assert_string_equal(di_name_in_scope("main/ns::operator/"), "ns::operator/");
	assert_string_equal(di_name_in_scope("main"), "main");
}

static void a_name_by_hand_may_leave_out_what_is_around(void **state)
{
	(void)state;
	assert_true(di_name_fits("ns::v2::x", "ns::x"));
	assert_true(di_name_fits("ns::v2::x", "v2::x"));
	assert_true(di_name_fits("ns::Box<int>::x", "Box::x"));
	assert_true(di_name_fits("ns::Box<int>::x", "Box<int>::x"));
	assert_true(di_name_fits("ns::x", "::ns::x"));
	assert_false(di_name_fits("ns::Box<int>::x", "Box<char>::x"));
	assert_false(di_name_fits("ns::v2::x", "other::x"));
	assert_false(di_name_fits("ns::v2::x", "v2"));
	assert_false(di_name_fits("ns::v2::x", ""));
}

static void a_name_ends_where_a_path_goes_on(void **state)
{
	(void)state;
	assert_int_equal(di_name_length("ns::Box<int>::x.y[2]"), 15);
	assert_int_equal(di_name_length("(anonymous namespace)::x->y"), 24);
	assert_int_equal(di_name_length("x < 3"), 1);
	assert_int_equal(di_name_length("*x"), 0);
	assert_int_equal(di_name_length("2x"), 0);
	assert_int_equal(di_name_length("ns::"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_spelling_becomes_a_plain_name),
		cmocka_unit_test(spaces_mean_nothing_in_a_key),
		cmocka_unit_test(an_operator_with_a_slash_is_one_name),
		cmocka_unit_test(a_name_by_hand_may_leave_out_what_is_around),
		cmocka_unit_test(a_name_ends_where_a_path_goes_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
