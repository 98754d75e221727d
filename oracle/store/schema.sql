-- schema.sql - what a trace store looks like. Format 2.
--
-- The tables are made to be small, the views at the end to be read: begin there. Rows that belong to a
-- trace have its number first and ids of their own, from 1 on, so that a trace is read in one piece
-- and a file is merged into another by renumbering its traces. Only texts and subjects are shared.
--
-- Files keep each CREATE statement with its comments, and are compared with it: to change a word inside
-- of one is to change the format. `unique` there is a mode of older xsteps, which did not count.
--
-- Invariants, checked by `xstep store check`:
--  1. SQLite's own: integrity_check and foreign_key_check find nothing.
--  2. application_id and user_version are xstep's, and all tables and views of this file are there.
--  3. A trace that is complete says when and how it ended and how many stops it has.
--  4. No transition is there twice in a trace, and no place.
--  5. n of a stop is at least 1 and at most the count of its transition, where that is known; it is 0
--     only where nobody knew the way there (unique). No two stops of a trace are the same (prev, pc, n).
--  6. Facts are arrays of a leaf, a value, a saying and an element, all of them there; the value is
--     what the saying's form says, or an array of two such or more.
--  7. No fact repeats what the last one of its leaf said, none of a leaf is told twice at a stop, and
--     the first one of a leaf is not `absent`.
--  8. Registers are an object of numbers, texts and nulls; none repeats what it was before.
--  9. depth of a stack is one more than that of its outer one; a leaf is seen from a frame that is there.
-- 10. No coverage figure has more evaluated than selected.
-- 11. The pieces of an execution follow each other without a gap, and have as many steps as they say.

PRAGMA application_id = 0x78737470; -- 'xstp'
PRAGMA user_version = 2;            -- the format; any other is refused

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
	hash          TEXT NOT NULL, -- of the file's bytes, with the name of the function before it
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
	mode       TEXT,             -- how it advances: exact, single, unique, native, shared;
	                             -- `native, planned`: to stops that xstep foretold, counts being xstep's;
	                             -- `exact, thread 2`: of one of all threads, the first being 1;
	                             -- `exact, steady`: the same time and random bytes in every run;
	                             -- `exact, moved 1`: stack and heap elsewhere, to see what depends on them;
	                             -- `exact, again`: a second run, to see what differs
	level      TEXT NOT NULL CHECK (level IN ('instruction', 'line', 'break')), -- what a stop is
	sample     TEXT NOT NULL,    -- which stops are kept: none, all, unique, dtd
	seed       INTEGER NOT NULL, -- of the sampling; unsigned, stored as signed
	arguments  TEXT NOT NULL,    -- of the program, a JSON array, argv[0] first
	begin_at   TEXT,             -- the function that it begins at; NULL: main
	vars       TEXT NOT NULL CHECK (vars IN ('none', 'locals', 'all')), -- those that are told
	frames     INTEGER NOT NULL, -- 1: backtraces and the variables of all frames are told
	regs       INTEGER NOT NULL, -- 1: registers are told
	max_leaves INTEGER NOT NULL, -- of a variable; what is beyond is `cut`
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

-- Where modules were loaded: address in the process less link-time address.
CREATE TABLE loaded (
	trace INTEGER NOT NULL REFERENCES trace (id),
	name  TEXT NOT NULL, -- of the shared object; '': the executable
	bias  INTEGER NOT NULL,
	PRIMARY KEY (trace, name)
) STRICT, WITHOUT ROWID;

-- What the line table and the functions say of addresses, each combination once.
CREATE TABLE site (
	trace    INTEGER NOT NULL REFERENCES trace (id),
	id       INTEGER NOT NULL,
	function INTEGER REFERENCES text (id), -- out-of-line; NULL: unknown
	entry    INTEGER,                      -- address of that
	file     INTEGER REFERENCES text (id), -- of the row; NULL: no row, or one without a file
	line     INTEGER,                      -- of the row; NULL: no row; 0: code of no line
	"column" INTEGER,                      -- of the row; NULL: no row; 0: unknown
	inlined  INTEGER REFERENCES text (id), -- JSON array of inlined calls, innermost first
	PRIMARY KEY (trace, id)
) STRICT, WITHOUT ROWID;

-- Addresses that a trace met.
CREATE TABLE place (
	trace   INTEGER NOT NULL,
	id      INTEGER NOT NULL,
	module  INTEGER REFERENCES text (id), -- name of the shared object; NULL: the executable
	address INTEGER NOT NULL,             -- link-time
	site    INTEGER NOT NULL,             -- what is there
	PRIMARY KEY (trace, id),
	FOREIGN KEY (trace, site) REFERENCES site (trace, id)
) STRICT, WITHOUT ROWID;

-- prev -> place, taken at least once.
CREATE TABLE transition (
	trace INTEGER NOT NULL,
	id    INTEGER NOT NULL,
	prev  INTEGER,          -- a place; NULL: the first stop, or nobody knows
	place INTEGER NOT NULL, -- where it leads
	count INTEGER,          -- how often; NULL: not counted (unique), or not yet
	first INTEGER,          -- number of the stop that took it first; NULL: not known
	PRIMARY KEY (trace, id),
	FOREIGN KEY (trace, prev) REFERENCES place (trace, id),
	FOREIGN KEY (trace, place) REFERENCES place (trace, id)
) STRICT, WITHOUT ROWID;

-- Frames as the witness shows them, each once in a trace.
CREATE TABLE frame (
	trace    INTEGER NOT NULL REFERENCES trace (id),
	id       INTEGER NOT NULL,
	function INTEGER REFERENCES text (id), -- NULL: unknown
	file     INTEGER REFERENCES text (id), -- NULL: unknown
	line     INTEGER NOT NULL,             -- 0: unknown
	"column" INTEGER NOT NULL,             -- 0: unknown
	inlined  INTEGER NOT NULL,             -- 1: shares its physical frame with its caller; plus 2:
	                                       -- made up for a function that ended with a tail call
	module   INTEGER REFERENCES text (id), -- of the pc; NULL: the executable, if there is a pc
	address  INTEGER,                      -- link-time pc; NULL: not told
	PRIMARY KEY (trace, id)
) STRICT, WITHOUT ROWID;

-- Backtraces as a tree: a frame and what is outside of it.
CREATE TABLE stack (
	trace INTEGER NOT NULL,
	id    INTEGER NOT NULL,
	frame INTEGER NOT NULL,
	outer INTEGER,          -- NULL: this is the outermost that was told
	depth INTEGER NOT NULL, -- how many frames from here on outwards
	PRIMARY KEY (trace, id),
	FOREIGN KEY (trace, frame) REFERENCES frame (trace, id),
	FOREIGN KEY (trace, outer) REFERENCES stack (trace, id)
) STRICT, WITHOUT ROWID;

-- Stops that were kept, with what changed there.
CREATE TABLE stop (
	trace      INTEGER NOT NULL,
	number     INTEGER NOT NULL, -- of all executed ones, from 1
	transition INTEGER NOT NULL,
	n          INTEGER NOT NULL, -- how often that has been taken, this time included
	shown      INTEGER,          -- innermost frame; NULL: it shows what the site says
	stack      INTEGER,          -- the frames outside of it; NULL: none, or not told
	frames     INTEGER,          -- how many frames there are; NULL: one more than the stack has
	note       INTEGER REFERENCES text (id), -- a remark of the witness's
	regs       TEXT,             -- JSON {name: value}: those that changed. Numbers are unsigned,
	                             -- written as signed; null: not available. rip is left out where
	                             -- it is the pc plus the bias of its module
	facts      TEXT,             -- JSON [[leaf, value, saying, element], ...]: those that changed,
	                             -- in the order told. Without saying: 1, without element: 0. An
	                             -- array for a value: of the elements from there on
	PRIMARY KEY (trace, number),
	FOREIGN KEY (trace, transition) REFERENCES transition (trace, id),
	FOREIGN KEY (trace, shown) REFERENCES frame (trace, id),
	FOREIGN KEY (trace, stack) REFERENCES stack (trace, id)
) STRICT, WITHOUT ROWID;

-- Variables that a trace met. All but the ordinal identifies one in every trace.
CREATE TABLE variable (
	trace   INTEGER NOT NULL REFERENCES trace (id),
	id      INTEGER NOT NULL,
	unit    INTEGER REFERENCES text (id),
	scope   INTEGER REFERENCES text (id),          -- function; at file scope '' or the unit
	name    INTEGER NOT NULL REFERENCES text (id),
	file    INTEGER REFERENCES text (id),          -- of the declaration
	line    INTEGER NOT NULL,                      -- of the declaration; 0: unknown
	ordinal INTEGER NOT NULL,                      -- from 1, among those that look the same
	PRIMARY KEY (trace, id)
) STRICT, WITHOUT ROWID;

-- Leaves of variables. One row stands for all elements of an array's last dimension.
CREATE TABLE leaf (
	trace    INTEGER NOT NULL,
	id       INTEGER NOT NULL,
	variable INTEGER NOT NULL,
	depth    INTEGER NOT NULL,                      -- of its frame, the outermost having 1; 0: file scope
	path     INTEGER NOT NULL REFERENCES text (id), -- `$.f[*]`: $ is the name, * the element; `=` and
	                                                -- a text: that, as it is
	type     INTEGER REFERENCES text (id),
	PRIMARY KEY (trace, id),
	FOREIGN KEY (trace, variable) REFERENCES variable (trace, id)
) STRICT, WITHOUT ROWID;

-- The ways in which something is said of a leaf, each once in a trace. 1 is the usual one: a number.
CREATE TABLE saying (
	trace      INTEGER NOT NULL REFERENCES trace (id),
	id         INTEGER NOT NULL,
	state      TEXT NOT NULL CHECK (state IN ('value', 'optimized-out', 'error', 'absent', 'cut')),
	form       TEXT NOT NULL CHECK (form IN ('none', 'number', 'text')), -- of the fact's value:
	                                         -- null, the number itself, or an id in `value`
	enumerator INTEGER REFERENCES text (id), -- of the value
	message    INTEGER REFERENCES text (id), -- the witness's words
	shadowed   INTEGER NOT NULL,             -- 1: another one of its name hides it
	declared   INTEGER NOT NULL,             -- 0: its declaration is further down
	why        TEXT,                         -- the reason that the message words, by a name that
	                                         -- stays: `register-not-saved`; NULL: none, or the
	                                         -- witness has words only
	PRIMARY KEY (trace, id)
) STRICT, WITHOUT ROWID;

-- Values that are not decimal numbers of 64 bits, each once in a trace.
CREATE TABLE value (
	trace INTEGER NOT NULL REFERENCES trace (id),
	id    INTEGER NOT NULL,
	text  TEXT NOT NULL,
	PRIMARY KEY (trace, id)
) STRICT, WITHOUT ROWID;

-- Leaves of which another run of the same witness says something else, from stop to stop.
CREATE TABLE unstable (
	trace   INTEGER NOT NULL,
	leaf    INTEGER NOT NULL,
	element INTEGER NOT NULL,
	first   INTEGER NOT NULL, -- number of a stop
	last    INTEGER NOT NULL, -- likewise
	PRIMARY KEY (trace, leaf, element, first),
	FOREIGN KEY (trace, leaf) REFERENCES leaf (trace, id)
) STRICT, WITHOUT ROWID;

-- The order of all executed transitions (--keep-order), in pieces.
CREATE TABLE execution (
	trace INTEGER NOT NULL REFERENCES trace (id),
	first INTEGER NOT NULL, -- number of the first stop of the piece
	count INTEGER NOT NULL, -- how many
	data  BLOB NOT NULL,    -- zlib: an id of a transition each, LEB128
	PRIMARY KEY (trace, first)
) STRICT, WITHOUT ROWID;

-- Coverage: of what the executed addresses select, what was evaluated.
CREATE TABLE coverage (
	trace     INTEGER NOT NULL REFERENCES trace (id),
	kind      TEXT NOT NULL,    -- state (E), not of --mode unique; instruction (WE); row, scope,
	                            -- location, operator (D)
	name      TEXT NOT NULL,    -- of the operator; '' elsewhere
	selected  INTEGER NOT NULL, -- how many there are
	evaluated INTEGER NOT NULL, -- how many of them a kept stop looked at
	PRIMARY KEY (trace, kind, name)
) STRICT, WITHOUT ROWID;

-- --- views -----------------------------------------------------------------------------------------
-- Addresses in them are texts: 0x1154, libm.so.6+0x10a0. `stop` is the number of the stop. Ask for one
-- trace (WHERE trace = 1): a store may hold thousands. CROSS JOIN tells SQLite to begin on the left.

-- Places with their control facts.
CREATE VIEW places AS
SELECT place.trace, place.id AS place,
	iif(place.module IS NULL, '', module.text || '+') || printf('0x%llx', place.address) AS pc,
	function.text AS function, place.address - site.entry AS offset,
	file.text AS file, site.line, site."column", inlined.text AS inlined
FROM place
JOIN site ON site.trace = place.trace AND site.id = place.site
LEFT JOIN text AS module ON module.id = place.module
LEFT JOIN text AS function ON function.id = site.function
LEFT JOIN text AS file ON file.id = site.file
LEFT JOIN text AS inlined ON inlined.id = site.inlined;

-- Transitions with their counts.
CREATE VIEW transitions AS
SELECT transition.trace,
	iif(prev.module IS NULL, '', prev_module.text || '+') ||
		iif(prev.id IS NULL, NULL, printf('0x%llx', prev.address)) AS prev,
	place.pc, transition.count, transition.first, place.function, place.file, place.line
FROM transition
JOIN places AS place ON place.trace = transition.trace AND place.place = transition.place
LEFT JOIN place AS prev ON prev.trace = transition.trace AND prev.id = transition.prev
LEFT JOIN text AS prev_module ON prev_module.id = prev.module;

-- Every kept stop with its control facts: by the line table, and as the frame shows it.
CREATE VIEW lines AS
SELECT stop.trace, stop.number AS stop,
	iif(prev.module IS NULL, '', prev_module.text || '+') ||
		iif(prev.id IS NULL, NULL, printf('0x%llx', prev.address)) AS prev,
	place.pc, stop.n,
	place.function, place.offset, place.file, place.line, place."column", place.inlined,
	iif(frame.id IS NULL, place.function, shown_function.text) AS shown_function,
	iif(frame.id IS NULL, place.file, shown_file.text) AS shown_file,
	iif(frame.id IS NULL, place.line, frame.line) AS shown_line,
	iif(frame.id IS NULL, place."column", frame."column") AS shown_column,
	coalesce(stop.frames, 1 + coalesce(stack.depth, 0)) AS frames, note.text AS note
FROM stop
JOIN transition ON transition.trace = stop.trace AND transition.id = stop.transition
JOIN places AS place ON place.trace = stop.trace AND place.place = transition.place
LEFT JOIN place AS prev ON prev.trace = stop.trace AND prev.id = transition.prev
LEFT JOIN text AS prev_module ON prev_module.id = prev.module
LEFT JOIN frame ON frame.trace = stop.trace AND frame.id = stop.shown
LEFT JOIN stack ON stack.trace = stop.trace AND stack.id = stop.stack
LEFT JOIN text AS shown_function ON shown_function.id = frame.function
LEFT JOIN text AS shown_file ON shown_file.id = frame.file
LEFT JOIN text AS note ON note.id = stop.note;

-- The backtraces of all kept stops, walked anew each time it is asked; frame 0 is in `lines`.
CREATE VIEW backtraces AS
WITH RECURSIVE walk (trace, stop, level, stack) AS (
	SELECT trace, number, 1, stack FROM stop WHERE stack IS NOT NULL
	UNION ALL
	SELECT walk.trace, walk.stop, walk.level + 1, stack.outer
	FROM walk JOIN stack ON stack.trace = walk.trace AND stack.id = walk.stack
	WHERE stack.outer IS NOT NULL)
SELECT walk.trace, walk.stop, walk.level AS frame, function.text AS function, file.text AS file,
	frame.line, frame."column", frame.inlined & 1 AS inlined,
	iif(frame.module IS NULL, '', module.text || '+') ||
		iif(frame.address IS NULL, NULL, printf('0x%llx', frame.address)) AS pc,
	frame.inlined >> 1 AS tail
FROM walk
JOIN stack ON stack.trace = walk.trace AND stack.id = walk.stack
JOIN frame ON frame.trace = walk.trace AND frame.id = stack.frame
LEFT JOIN text AS function ON function.id = frame.function
LEFT JOIN text AS file ON file.id = frame.file
LEFT JOIN text AS module ON module.id = frame.module;

-- Registers where they change, in hex if they are numbers.
CREATE VIEW registers AS
SELECT stop.trace, stop.number AS stop, reg.key AS register,
	iif(reg.type = 'integer', printf('0x%llx', reg.value), reg.value) AS value
FROM stop, json_each(stop.regs) AS reg;

-- Facts by their ids, a row for each element: what the views below are made of.
CREATE VIEW changes AS
SELECT stop.trace, stop.number AS stop, fact.key AS seq, fact.value ->> 0 AS leaf,
	coalesce(fact.value ->> 3, 0) + element.key AS element,
	coalesce(fact.value ->> 2, 1) AS saying, element.value
FROM stop CROSS JOIN json_each(stop.facts) AS fact CROSS JOIN
	json_each(iif(json_type(fact.value, '$[1]') = 'array', fact.value -> 1,
		json_array(fact.value ->> 1))) AS element;

-- Leaves by name.
CREATE VIEW leaves AS
SELECT leaf.trace, leaf.id AS leaf, leaf.variable, leaf.depth, unit.text AS unit,
	scope.text AS scope, name.text AS var, file.text AS decl_file, variable.line AS decl_line,
	iif(substr(path.text, 1, 1) = '$', name.text, '') || substr(path.text, 2) AS path, type.text AS type
FROM leaf
JOIN variable ON variable.trace = leaf.trace AND variable.id = leaf.variable
JOIN text AS name ON name.id = variable.name
JOIN text AS path ON path.id = leaf.path
LEFT JOIN text AS unit ON unit.id = variable.unit
LEFT JOIN text AS scope ON scope.id = variable.scope
LEFT JOIN text AS file ON file.id = variable.file
LEFT JOIN text AS type ON type.id = leaf.type;

-- What is said of a leaf at the stops where that changes.
CREATE VIEW facts AS
SELECT changes.trace, changes.stop, changes.seq, leaves.scope, leaves.var, leaves.decl_file,
	leaves.decl_line, leaves.depth,
	replace(leaves.path, '[*]', '[' || changes.element || ']') AS path, leaves.type,
	saying.state,
	iif(saying.form = 'text', value.text, CAST(changes.value AS TEXT)) AS value,
	enumerator.text AS enumerator, message.text AS message, saying.shadowed, saying.declared,
	saying.why
FROM changes
CROSS JOIN leaves ON leaves.trace = changes.trace AND leaves.leaf = changes.leaf
JOIN saying ON saying.trace = changes.trace AND saying.id = changes.saying
LEFT JOIN value ON value.trace = changes.trace AND saying.form = 'text' AND value.id = changes.value
LEFT JOIN text AS enumerator ON enumerator.id = saying.enumerator
LEFT JOIN text AS message ON message.id = saying.message;

-- The whole state: every leaf that is there at a stop. Ask for one stop by its number, written out or
-- bound (stop = 30, not stop = (SELECT ...)): all stops have millions of rows.
CREATE VIEW states AS
SELECT now.trace, now.stop, leaves.scope, leaves.var, leaves.decl_file, leaves.decl_line,
	leaves.depth, replace(leaves.path, '[*]', '[' || now.element || ']') AS path, leaves.type,
	saying.state, iif(saying.form = 'text', value.text, CAST(now.value AS TEXT)) AS value,
	enumerator.text AS enumerator, message.text AS message, saying.shadowed, saying.declared,
	now.since,
	EXISTS (SELECT 1 FROM unstable WHERE unstable.trace = now.trace AND unstable.leaf = now.leaf
		AND unstable.element = now.element AND now.stop BETWEEN unstable.first AND unstable.last)
		AS unstable,
	saying.why
FROM (SELECT stop.trace, stop.number AS stop, changes.leaf, changes.element, changes.saying,
		changes.value, max(changes.stop) AS since
	FROM stop CROSS JOIN changes ON changes.trace = stop.trace AND changes.stop <= stop.number
	GROUP BY stop.trace, stop.number, changes.leaf, changes.element) AS now
CROSS JOIN leaves ON leaves.trace = now.trace AND leaves.leaf = now.leaf
JOIN saying ON saying.trace = now.trace AND saying.id = now.saying AND saying.state <> 'absent'
LEFT JOIN value ON value.trace = now.trace AND saying.form = 'text' AND value.id = now.value
LEFT JOIN text AS enumerator ON enumerator.id = saying.enumerator
LEFT JOIN text AS message ON message.id = saying.message;
