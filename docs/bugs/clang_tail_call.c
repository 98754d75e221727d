/* clang says that a tail call passes a register which the epilogue has popped.
 *
 * wrong:     clang
 * rule:      E1 lie producer:wrong-call-value-tail-call
 * basis:     evidence
 * build:     clang-15 -g -O1 -o clang_tail_call clang_tail_call.c
 * xstep:     xstep check frames clang_tail_call
 * $ objdump -d --no-show-raw-insn clang_tail_call
 * > mov %rbx,%rdi
 * > pop %rbx
 * > jmp ... <last>
 * $ readelf --debug-dump=info clang_tail_call
 * > DW_AT_call_tail_call: 1
 * > DW_AT_call_value : 2 byte block: 73 0 (DW_OP_breg3 (rbx): 0)
 * actual:    The call site of `jmp last` says that RDI is what RBX holds. `pop %rbx` before the
 *            jump made that the caller's.
 * expected:  Nothing about RDI: no register that survives the jump holds it.
 * culprit:   pass 333 of 409, X86 DAG->DAG Instruction Selection on function (both): gone with
 *            -mllvm -opt-bisect-limit=332; found with -O1, -O2, -O3, -Os, -Og, -Oz; gone with
 *            -O0.
 * versions:  clang 15.0.6: so; clang 13.0.1, 14.0.6, 16.0.6, 19.1.7: not so.
 * known:     -
 */
static volatile int sink;

__attribute__((noinline)) void first(int *at)
{
	sink = *at;
}

__attribute__((noinline)) void last(int *at, int more)
{
	sink += *at + more;
}

__attribute__((noinline)) void both(int *at)
{
	first(at);
	last(at, 3);
}

int main(void)
{
	int value = 4;
	both(&value);
	return sink == 11 ? 0 : 1;
}
