-- schema.sql - what a trace store looks like. Format 1.
--
-- The tables are made to be small, the views at the end to be read: begin there. Everything that a
-- trace says is in rows of its own, so that a file can be merged into another by adding to its ids.
-- Only texts are shared, by all traces of a file.
--
-- Invariants, checked by `xstep store check`:
--  1. SQLite's own: integrity_check and foreign_key_check find nothing.
--  2. application_id and user_version are xstep's; the tables and views are those of this file.
--  3. A trace that is complete says when and how it ended; `sampled` of it is the number of its stops.
--  4. The stops of a trace have ids without a gap, in ascending number, and those of one trace lie
--     behind those of the trace before.
--  5. A transition leads from and to places of its own trace, and is there once.
--  6. n of a stop is at least 1 and at most the count of its transition, where that is known; it is
--     0 only where nobody knew the way there (no prev, mode unique). No transition has a stop twice.
--  7. A fact is about a leaf, and said in a way, of its own trace; a leaf is of a variable of it.
--  8. The facts of a stop are numbered from 0 without a gap.
--  9. The value of a fact is what its form says: nothing, a number, or the id of a value that is
--     there; a list is a JSON array with two elements or more, of which no element lies outside of
--     its leaf.
-- 10. No fact repeats what the last one of its leaf said. The first of a leaf is not `absent`.
-- 11. frames of a stop is as long as its stack, where the trace tells frames.
-- 12. No coverage figure has more evaluated than selected.

PRAGMA application_id = 0x78737470; -- 'xstp'
PRAGMA user_version = 1;            -- the format; one that differs is refused

-- Texts, each once in a file: names, paths, types, messages.
CREATE TABLE text (
	id   INTEGER PRIMARY KEY,
	text TEXT NOT NULL UNIQUE
) STRICT;

-- Executables.
CREATE TABLE subject (
	id            INTEGER PRIMARY KEY,
	path          TEXT NOT NULL, -- as it was given
	build_id      TEXT,          -- in hex; NULL if it has none
	hash          TEXT NOT NULL, -- SHA-256 of the file, in hex
	producer      TEXT,          -- DW_AT_producer of the unit with main
	flags         TEXT,          -- the compiler's options, as far as that names them
	dwarf_version INTEGER,       -- of that unit; NULL without DWARF
	UNIQUE (path, hash)
) STRICT;

-- What one witness said of one run of one subject.
CREATE TABLE trace (
	id         INTEGER PRIMARY KEY,
	subject    INTEGER NOT NULL REFERENCES subject (id),
	witness    TEXT NOT NULL,    -- xstep, gdb, lldb
	version    TEXT NOT NULL,    -- of the witness, in full
	mode       TEXT,             -- how it advances: exact, single, unique, native, shared
	level      TEXT NOT NULL,    -- what a stop is: instruction, line or break
	sample     TEXT NOT NULL,    -- which stops are kept: none, all, unique, dtd
	seed       INTEGER NOT NULL, -- of the sampling; unsigned, stored as signed
	arguments  TEXT NOT NULL,    -- of the program, a JSON array, argv[0] first
	begin_at   TEXT,             -- the function that it begins at; NULL: main
	vars       TEXT NOT NULL,    -- which variables are told: none, locals, all
	frames     INTEGER NOT NULL, -- 1: backtraces and the variables of all frames are told
	regs       INTEGER NOT NULL, -- 1: registers are told
	max_leaves INTEGER,          -- of a variable; what is beyond is `cut`
	host       TEXT NOT NULL,    -- name, kernel and processor of the machine
	began      TEXT NOT NULL,    -- UTC
	ended      TEXT,             -- UTC; NULL: still being written, or the writer died
	how        TEXT,             -- how it ended, in words
	complete   INTEGER NOT NULL DEFAULT 0, -- 1: all that was to be traced was
	trouble    TEXT,             -- what went wrong
	executed   INTEGER,          -- stops, kept or not; NULL: not counted
	sampled    INTEGER,          -- stops kept; NULL while it is being written
	cut        INTEGER           -- unique: sources given up on, whose transitions may be missing
) STRICT;
CREATE INDEX trace_subject ON trace (subject);

-- Addresses that a trace met, and what the line table says of each.
CREATE TABLE place (
	id       INTEGER PRIMARY KEY,
	trace    INTEGER NOT NULL REFERENCES trace (id),
	module   INTEGER REFERENCES text (id), -- name of the shared object; NULL: the executable
	address  INTEGER NOT NULL,             -- link-time
	function INTEGER REFERENCES text (id), -- out-of-line; NULL: unknown
	offset   INTEGER,                      -- from that function's entry
	file     INTEGER REFERENCES text (id), -- of the row; NULL: none, or one without a file
	line     INTEGER,                      -- of the row; NULL: no row; 0: code of no line
	"column" INTEGER,                      -- of the row; 0: unknown
	inlined  INTEGER REFERENCES text (id), -- JSON array of inlined calls, innermost first
	shown    INTEGER REFERENCES frame (id) -- what the innermost frame showed here first
) STRICT;
CREATE INDEX place_trace ON place (trace);

-- prev -> pc, taken at least once.
CREATE TABLE transition (
	id    INTEGER PRIMARY KEY,
	trace INTEGER NOT NULL REFERENCES trace (id),
	prev  INTEGER REFERENCES place (id),          -- NULL: the first stop, or nobody knows
	place INTEGER NOT NULL REFERENCES place (id), -- where it leads
	count INTEGER,                                -- how often; NULL: not counted (unique)
	first INTEGER                                 -- number of the stop that took it first
) STRICT;
CREATE INDEX transition_trace ON transition (trace);

-- Frames as the witness shows them, each once in a trace.
CREATE TABLE frame (
	id       INTEGER PRIMARY KEY,
	trace    INTEGER NOT NULL REFERENCES trace (id),
	function INTEGER REFERENCES text (id), -- NULL: unknown
	file     INTEGER REFERENCES text (id), -- NULL: unknown
	line     INTEGER NOT NULL,             -- 0: unknown
	"column" INTEGER NOT NULL,             -- 0: unknown
	inlined  INTEGER NOT NULL,             -- 1: shares its physical frame with its caller
	module   INTEGER REFERENCES text (id), -- of the pc; NULL: the executable, if there is a pc
	address  INTEGER                       -- link-time pc; NULL: not told
) STRICT;

-- Backtraces as a tree: a frame and what is outside of it.
CREATE TABLE stack (
	id    INTEGER PRIMARY KEY,
	frame INTEGER NOT NULL REFERENCES frame (id),
	outer INTEGER REFERENCES stack (id) -- NULL: the outermost that was told
) STRICT;

-- Stops that were kept.
CREATE TABLE stop (
	id         INTEGER PRIMARY KEY, -- without a gap in a trace, in the order of execution
	trace      INTEGER NOT NULL REFERENCES trace (id),
	number     INTEGER NOT NULL,    -- of all executed ones, from 1
	transition INTEGER NOT NULL REFERENCES transition (id),
	n          INTEGER NOT NULL,    -- how often that has been taken, this time included
	shown      INTEGER REFERENCES frame (id), -- innermost frame, if it is not its place's
	stack      INTEGER REFERENCES stack (id), -- the frames outside of it; NULL: none, or not told
	frames     INTEGER NOT NULL,    -- how many frames there are in all; 0: not told
	note       INTEGER REFERENCES text (id)   -- a remark of the witness's
) STRICT;
CREATE INDEX stop_trace ON stop (trace, number);

-- Registers that changed since the stop before.
CREATE TABLE register (
	stop  INTEGER NOT NULL REFERENCES stop (id),
	name  INTEGER NOT NULL REFERENCES text (id),
	value ANY, -- a number (unsigned, stored as signed), or a text; NULL: not available
	PRIMARY KEY (stop, name)
) STRICT, WITHOUT ROWID;

-- Variables that a trace met.
CREATE TABLE variable (
	id      INTEGER PRIMARY KEY,
	trace   INTEGER NOT NULL REFERENCES trace (id),
	unit    INTEGER REFERENCES text (id),
	scope   INTEGER REFERENCES text (id),          -- function; at file scope "" or the unit
	name    INTEGER NOT NULL REFERENCES text (id),
	file    INTEGER REFERENCES text (id),          -- of the declaration
	line    INTEGER NOT NULL,                      -- of the declaration; 0: unknown
	ordinal INTEGER NOT NULL                       -- from 1, among those that look the same
) STRICT;
CREATE INDEX variable_trace ON variable (trace);

-- Leaves of variables in a frame. One row stands for all elements of an array's last dimension.
CREATE TABLE leaf (
	id       INTEGER PRIMARY KEY,
	variable INTEGER NOT NULL REFERENCES variable (id),
	depth    INTEGER NOT NULL,                      -- of its frame, the outermost being 1; 0: file scope
	path     INTEGER NOT NULL REFERENCES text (id), -- behind the name; [*] stands for the element
	type     INTEGER REFERENCES text (id)
) STRICT;

-- The ways in which something is said of a leaf, each once in a trace.
CREATE TABLE saying (
	id         INTEGER PRIMARY KEY,
	trace      INTEGER NOT NULL REFERENCES trace (id),
	state      TEXT NOT NULL CHECK (state IN ('value', 'optimized-out', 'error', 'absent', 'cut')),
	form       TEXT NOT NULL CHECK (form IN ('none', 'decimal', 'hex', 'text', 'list')),
	enumerator INTEGER REFERENCES text (id),
	message    INTEGER REFERENCES text (id), -- the witness's words
	shadowed   INTEGER NOT NULL, -- 1: another one of its name hides it
	declared   INTEGER NOT NULL  -- 0: its declaration is further down
) STRICT;

-- Values that are neither decimal nor hexadecimal numbers of 64 bits, and lists of values.
CREATE TABLE value (
	id   INTEGER PRIMARY KEY,
	text TEXT NOT NULL
) STRICT;

-- What changed: facts that differ from the last ones of their leaf.
CREATE TABLE fact (
	stop   INTEGER NOT NULL REFERENCES stop (id),
	seq    INTEGER NOT NULL, -- from 0, in the order in which the witness told them
	leaf   INTEGER NOT NULL REFERENCES leaf (id),
	at     INTEGER NOT NULL, -- the element, the first one of a list; 0 if the leaf has none
	saying INTEGER NOT NULL REFERENCES saying (id),
	value  INTEGER,          -- by the saying's form: NULL, the number itself, or value.id
	PRIMARY KEY (stop, seq)
) STRICT, WITHOUT ROWID;

-- Leaves of which another run of the same witness says something else, from stop to stop.
CREATE TABLE unstable (
	leaf  INTEGER NOT NULL REFERENCES leaf (id),
	at    INTEGER NOT NULL, -- the element
	first INTEGER NOT NULL REFERENCES stop (id),
	last  INTEGER NOT NULL REFERENCES stop (id),
	PRIMARY KEY (leaf, at, first)
) STRICT, WITHOUT ROWID;

-- The order of all executed transitions (--keep-order), in pieces.
CREATE TABLE execution (
	trace INTEGER NOT NULL REFERENCES trace (id),
	first INTEGER NOT NULL, -- number of the first stop of the piece
	count INTEGER NOT NULL, -- how many
	data  BLOB NOT NULL,    -- zlib: LEB128 numbers, transition.id less the trace's least
	PRIMARY KEY (trace, first)
) STRICT, WITHOUT ROWID;

-- Coverage: of what the executed addresses select, what was evaluated.
CREATE TABLE coverage (
	trace     INTEGER NOT NULL REFERENCES trace (id),
	kind      TEXT NOT NULL, -- state (P), instruction (WE), row, scope, location, operator (D)
	name      TEXT NOT NULL, -- of the operator; '' elsewhere
	selected  INTEGER NOT NULL,
	evaluated INTEGER NOT NULL,
	PRIMARY KEY (trace, kind, name)
) STRICT, WITHOUT ROWID;

-- --- views -------------------------------------------------------------------------------------
-- Addresses in them are texts: 0x1154, libm.so.6+0x10a0. `stop` is the number of the stop.

-- Every stop with its control facts: by the line table, and as the frame showed it.
CREATE VIEW lines AS
SELECT stop.trace, stop.number AS stop,
	CASE WHEN prev.id IS NULL THEN NULL
		WHEN prev.module IS NULL THEN printf('0x%llx', prev.address)
		ELSE printf('%s+0x%llx', prev_module.text, prev.address) END AS prev,
	CASE WHEN place.module IS NULL THEN printf('0x%llx', place.address)
		ELSE printf('%s+0x%llx', module.text, place.address) END AS pc,
	stop.n, function.text AS function, file.text AS file, place.line, place."column",
	shown_function.text AS shown_function, shown_file.text AS shown_file,
	frame.line AS shown_line, frame."column" AS shown_column,
	inlined.text AS inlined, stop.frames, note.text AS note
FROM stop
JOIN transition ON transition.id = stop.transition
JOIN place ON place.id = transition.place
LEFT JOIN place AS prev ON prev.id = transition.prev
LEFT JOIN text AS prev_module ON prev_module.id = prev.module
LEFT JOIN text AS module ON module.id = place.module
LEFT JOIN text AS function ON function.id = place.function
LEFT JOIN text AS file ON file.id = place.file
LEFT JOIN text AS inlined ON inlined.id = place.inlined
LEFT JOIN frame ON frame.id = coalesce(stop.shown, place.shown)
LEFT JOIN text AS shown_function ON shown_function.id = frame.function
LEFT JOIN text AS shown_file ON shown_file.id = frame.file
LEFT JOIN text AS note ON note.id = stop.note;
