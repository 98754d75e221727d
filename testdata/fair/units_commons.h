int shared_count; /* with -fcommon: one object of two units */
const char *shared_name;
