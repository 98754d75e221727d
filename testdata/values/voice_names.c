/* voice_names.c - what a debugger says of a variable and what it says of the variable's name are two
 * things: a name may be taken for a register, and for a variable that is declared further down.
 * end: main returned; exited with status 0
 * functions: main
 */
static int $rip = 4;

int main(void)
{
	int x = 1;
	{
		$rip += x;
		int x = 2;
		$rip += x;
	}
	return $rip != 7;
}
