-- Version 1. Times are seconds since 1970; texts marked JSON are written by study/json.

CREATE TABLE study (
    id            INTEGER PRIMARY KEY,
    name          TEXT    NOT NULL UNIQUE,
    maximize      INTEGER NOT NULL,
    space         TEXT    NOT NULL,              -- JSON
    options       TEXT    NOT NULL,              -- JSON
    settings      TEXT    NOT NULL,              -- JSON
    budget        INTEGER,
    created_at    REAL    NOT NULL,
    next_sequence INTEGER NOT NULL DEFAULT 1
);

CREATE TABLE trial (
    study      INTEGER NOT NULL REFERENCES study (id),
    id         INTEGER NOT NULL,
    state      TEXT    NOT NULL CHECK (state IN ('running', 'completed', 'failed', 'abandoned')),
    parameters TEXT    NOT NULL,                 -- JSON
    added      INTEGER NOT NULL DEFAULT 0,
    ask        INTEGER NOT NULL DEFAULT 0,
    attempt    INTEGER NOT NULL DEFAULT 1,
    worker     TEXT    NOT NULL DEFAULT '',
    asked_at   REAL    NOT NULL,
    started_at REAL    NOT NULL,
    lease_ends REAL    NOT NULL DEFAULT 0,
    ended_at   REAL,
    value      REAL,
    reason     TEXT    NOT NULL DEFAULT '',
    late       INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (study, id),
    CHECK ((state = 'completed') = (value IS NOT NULL))
) WITHOUT ROWID;

-- Covers the counts and the best of a study: neither reads the trials themselves.
CREATE INDEX trial_by_state ON trial (study, state, value, added, lease_ends);

CREATE TABLE event (
    study    INTEGER NOT NULL REFERENCES study (id),
    sequence INTEGER NOT NULL,
    kind     TEXT    NOT NULL CHECK (kind IN ('asked', 'told', 'added', 'dropped')),
    trial    INTEGER NOT NULL,
    PRIMARY KEY (study, sequence)
) WITHOUT ROWID;
-- A trial is asked for, answered, added or dropped at most once.
CREATE UNIQUE INDEX event_once ON event (study, trial, kind);

CREATE TABLE ask (
    study          INTEGER NOT NULL REFERENCES study (id),
    ask            INTEGER NOT NULL,
    first_sequence INTEGER NOT NULL,
    at             REAL    NOT NULL,
    seconds        REAL    NOT NULL,
    count          INTEGER NOT NULL,
    PRIMARY KEY (study, ask)
) WITHOUT ROWID;

CREATE TABLE attempt (
    study      INTEGER NOT NULL REFERENCES study (id),
    trial      INTEGER NOT NULL,
    attempt    INTEGER NOT NULL,
    worker     TEXT    NOT NULL,
    started_at REAL    NOT NULL,
    ended_at   REAL    NOT NULL,
    outcome    TEXT    NOT NULL,
    output     BLOB    NOT NULL,
    error      BLOB    NOT NULL
);
CREATE INDEX attempt_of_trial ON attempt (study, trial);

CREATE TABLE late_answer (
    study  INTEGER NOT NULL REFERENCES study (id),
    trial  INTEGER NOT NULL,
    worker TEXT    NOT NULL,
    at     REAL    NOT NULL,
    value  REAL,
    reason TEXT    NOT NULL
);

CREATE TABLE request (
    study  INTEGER NOT NULL REFERENCES study (id),
    key    TEXT    NOT NULL,
    trials TEXT    NOT NULL,                     -- ids, separated by spaces
    PRIMARY KEY (study, key)
) WITHOUT ROWID;

CREATE TABLE snapshot (
    study    INTEGER PRIMARY KEY REFERENCES study (id),
    sequence INTEGER NOT NULL,
    data     BLOB    NOT NULL
);
