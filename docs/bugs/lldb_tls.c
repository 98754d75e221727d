/* lldb does not find thread-local variables.
 *
 * wrong:     lldb
 * rule:      G3 loss lldb:tls
 * basis:     replayed
 * build:     gcc-12 -g -O0 -o lldb_tls lldb_tls.c
 * xstep:     xstep diff lldb_tls
 * $ lldb-15 -x -b -o 'breakpoint set -n main' -o run -o 'target variable counter' \
 *       -o 'expression counter' lldb_tls
 * > counter = <No TLS data currently exists for this thread.>
 * > couldn't get the value of variable counter
 * $ gdb -nx -q -batch -ex 'break *main' -ex run -ex 'print counter' lldb_tls
 * > $1 = 5
 * actual:    `No TLS data currently exists for this thread.`, by `target variable` and by
 *            `expression`.
 * expected:  5. gdb shows it.
 * versions:  lldb 14.0.6, 15.0.6, 16.0.6: so; lldb 19.1.7: right; the program by gcc 12.2.
 * known:     -
 */
static __thread int counter = 5;
volatile int sink;

int main(void)
{
	counter++;
	sink = counter;
	return 0;
}
