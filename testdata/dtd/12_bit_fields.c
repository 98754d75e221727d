/* DTD bug 12: a bit-field that reaches over the border of its type's size in a packed structure: lldb reads
 * the wrong bits. */
#pragma pack(push, 1)
struct packed {
	signed first : 5;
	signed second : 30;
	unsigned third : 29;
};
#pragma pack(pop)
static struct packed global = {-1, -12345, 77};

int main(void)
{
	struct packed local = global;
	local.second--;
	global = local;
	return 0;
}
