-- Version 5. The words that the programs use: a goal, and abandoned trials.
ALTER TABLE study ADD COLUMN goal TEXT NOT NULL DEFAULT 'minimize' CHECK (goal IN ('minimize', 'maximize'));
UPDATE study SET goal = 'maximize' WHERE maximize <> 0;
ALTER TABLE study DROP COLUMN maximize;

CREATE TABLE event_3 (
    study    INTEGER NOT NULL REFERENCES study (id),
    sequence INTEGER NOT NULL,
    kind     TEXT    NOT NULL CHECK (kind IN ('asked', 'told', 'added', 'abandoned', 'reopened')),
    trial    INTEGER NOT NULL,
    at       REAL    NOT NULL,
    value    REAL,                               -- of told and added, as also and reason
    also     TEXT    NOT NULL DEFAULT '',
    reason   TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (study, sequence)
) WITHOUT ROWID;
INSERT INTO event_3 (study, sequence, kind, trial, at, value, also, reason)
SELECT study, sequence, CASE kind WHEN 'dropped' THEN 'abandoned' ELSE kind END, trial, at, value, also, reason FROM event;
DROP TABLE event;
ALTER TABLE event_3 RENAME TO event;
CREATE UNIQUE INDEX event_begins ON event (study, trial) WHERE kind IN ('asked', 'added');
