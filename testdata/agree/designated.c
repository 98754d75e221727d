struct rule { int id; const char *name; int limits[4]; };
static struct rule rules[] = {[1] = {.name = "b", .id = 2, .limits = {[2] = 9}}, [0] = {.id = 1}};
int main(void)
{
	struct rule r = rules[1];
	r.limits[0] = r.limits[2] + r.id;
	rules[0] = r;
	return rules[0].limits[0] - 11;
}
