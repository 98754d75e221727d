/* What the calls of the examples go to: defined elsewhere, so that nothing is known of it. */
void opaque(int count, ...) {}
