-- campaign_schema.sql - what campaign.db, the state of `xstep campaign`, looks like. Format 2.
-- Format 1 is the same without the table `cause`: it is read as if that were empty, and whoever writes to such
-- a file adds the table.
--
-- Rows are what they are by their content: a program by where it comes from and its text, a job by its
-- program, oracle and build, a signature by its oracle and words. So a campaign that was cut into parts is
-- put together by adding their rows, and no number depends on who did what when. Only seconds do.
--
-- Invariants:
--  1. SQLite's own: integrity_check and foreign_key_check find nothing.
--  2. application_id and user_version are xstep's, and the tables are those of this file.
--  3. A program is there once it was made and filtered, with its builds and jobs: all in one transaction.
--  4. A job whose outcome is NULL is still to be done, and has neither findings nor figures. It becomes done
--     in one transaction with these: nothing of it is lost, and nothing counted twice.
--  5. A program with a reason was left out, and has no jobs, but for those of oracle `build`: a compiler that
--     crashes is a finding. These are done. Merging keeps what one of the parts keeps.
--  6. Each signature has two exemplars: of all its findings, the one in the first program by rank, and the
--     one in the smallest. Ties are decided by rank, compiler, level and id.
--  7. A stage that is done stays done. What `reduce` has made is a file in signatures/ID of its signature, with
--     its size; of a stage that is done it is there. `culprit` makes no file.

PRAGMA application_id = 0x78737463; -- 'xstc'
PRAGMA user_version = 2;            -- the format; any but 1 and this one is refused

-- What was asked for: continuing needs no repetition.
CREATE TABLE option (
	name  TEXT PRIMARY KEY, -- as on the command line, without the dashes; or `version NAME`: what a
	                        -- compiler or debugger says of itself
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Programs, kept and left out.
CREATE TABLE program (
	id      TEXT PRIMARY KEY,     -- 12 hex digits of origin and text
	origin  TEXT NOT NULL UNIQUE, -- `seed 17`, `file loop.c`; a mutant has ` mutant 1` behind it
	rank    TEXT NOT NULL,        -- the same, so that it sorts
	flags   TEXT NOT NULL,        -- more options for its builds
	hash    TEXT,                 -- of its text; NULL: there is none
	size    INTEGER,              -- of its text, in bytes; NULL: there is none
	steps   INTEGER,              -- instructions of its own that the first build executes; NULL: not counted
	reason  TEXT,                 -- why it was left out; NULL: it is kept
	detail  TEXT,                 -- more of that: what the generator or the compiler said
	seconds REAL NOT NULL         -- that making, filtering and building it took
) STRICT, WITHOUT ROWID;

-- What compilers made of a program; each cell is built once.
CREATE TABLE build (
	program  TEXT NOT NULL REFERENCES program (id),
	compiler TEXT NOT NULL,  -- as it was named: gcc-12
	level    TEXT NOT NULL,  -- -O2; `-O2 -fno-inline`
	outcome  TEXT NOT NULL CHECK (outcome IN ('built', 'refused', 'crashed', 'hung')),
	detail   TEXT,           -- what the compiler complained of
	hash     TEXT,           -- of the executable; NULL: there is none
	size     INTEGER,        -- of it, in bytes
	seconds  REAL NOT NULL,
	PRIMARY KEY (program, compiler, level)
) STRICT, WITHOUT ROWID;

-- An oracle on a program, as one compiler builds it.
CREATE TABLE job (
	id       INTEGER PRIMARY KEY, -- of this file only
	program  TEXT NOT NULL REFERENCES program (id),
	oracle   TEXT NOT NULL,       -- diff, opt, ...; build: the compiler itself
	compiler TEXT NOT NULL,
	level    TEXT NOT NULL,
	outcome  TEXT CHECK (outcome IN ('clean', 'found', 'unasked', 'trouble', 'crashed', 'hung', 'memory',
	         'output', 'unreadable')), -- NULL: to be done; unasked: the program gives nothing to ask about
	detail   TEXT,                -- what it said last, if that is neither clean nor found
	seconds  REAL,
	UNIQUE (program, oracle, compiler, level)
) STRICT;

-- What makes two findings the same bug.
CREATE TABLE signature (
	id     TEXT PRIMARY KEY, -- 12 hex digits of oracle and text
	oracle TEXT NOT NULL,
	text   TEXT NOT NULL     -- as `xstep diff` and `xstep check` call it
) STRICT, WITHOUT ROWID;

CREATE TABLE finding (
	job       INTEGER NOT NULL REFERENCES job (id),
	id        TEXT NOT NULL, -- as in the oracle's report
	signature TEXT NOT NULL REFERENCES signature (id),
	basis     TEXT,          -- replayed, evidence, contested, majority, suspected; NULL: the oracle has none
	wrong     TEXT NOT NULL, -- who is, by commas; '': nobody is named
	known     TEXT,          -- where it is reported already
	function  TEXT,          -- where it is
	line      INTEGER,
	variable  TEXT,
	report    TEXT,          -- the finding as the oracle reports it, JSON; in a job, of the least id of each signature
	PRIMARY KEY (job, id)
) STRICT, WITHOUT ROWID;

-- The findings that stand for a signature.
CREATE TABLE exemplar (
	signature TEXT NOT NULL REFERENCES signature (id),
	which     TEXT NOT NULL CHECK (which IN ('first', 'smallest')),
	job       INTEGER NOT NULL,
	finding   TEXT NOT NULL,
	PRIMARY KEY (signature, which),
	FOREIGN KEY (job, finding) REFERENCES finding (job, id)
) STRICT, WITHOUT ROWID;

-- What an oracle counted: what it asked, what it set aside.
CREATE TABLE figure (
	job   INTEGER NOT NULL REFERENCES job (id),
	name  TEXT NOT NULL,
	value REAL NOT NULL,
	PRIMARY KEY (job, name)
) STRICT, WITHOUT ROWID;

-- What came of looking for a signature's cause: a row for each stage that was tried.
CREATE TABLE cause (
	signature TEXT NOT NULL REFERENCES signature (id),
	stage     TEXT NOT NULL CHECK (stage IN ('reduce', 'culprit')),
	outcome   TEXT NOT NULL CHECK (outcome IN ('done', 'unfinished', 'failed')),
	                         -- unfinished: it ran out of time, and may be gone on with
	reason    TEXT,          -- why it is not done; of a culprit that is done, why none is named
	file      TEXT,          -- reduce: the source, its path in the campaign's folder; unfinished: the best so far
	lines     INTEGER,       -- of that
	bytes     INTEGER,
	sameness  TEXT,          -- 12 hex digits of its text without blanks: two that are the same are one bug
	culprit   TEXT,          -- `pass Control Flow Optimizer`; `counter cfg_cleanup`; `option -fcrossjumping`; no
	                         -- numbers, so that the same is one text; NULL: none is named
	vector    TEXT,          -- culprit: {KIND: {END: [NAME]}}, JSON; KIND is level, debug, compiler, debugger, END
	                         -- is found, gone, unfit; and {"culprits": [...]}, as xstep culprit reports them
	seconds   REAL NOT NULL, -- that it took: reduce in all runs, culprit in the last one
	PRIMARY KEY (signature, stage)
) STRICT, WITHOUT ROWID;
