struct text { int length; char bytes[]; };
static struct text hello = {5, "hello"};
int main(void)
{
	struct text *at = &hello;
	at->bytes[0] = 'j';
	int l = at->length;
	return l - 5;
}
