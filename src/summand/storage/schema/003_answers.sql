-- Version 3. An answer may be corrected or withdrawn: events keep what they said. Values beside the goal's. Trials that wait.

ALTER TABLE trial ADD COLUMN also TEXT NOT NULL DEFAULT '';        -- JSON: further values by name; '' if there are none
ALTER TABLE late_answer ADD COLUMN also TEXT NOT NULL DEFAULT '';
-- A running trial with lease_ends = 0 waits for a worker; its attempt is the one to come. ask = -1: enqueued by the user.

CREATE TABLE event_2 (
    study    INTEGER NOT NULL REFERENCES study (id),
    sequence INTEGER NOT NULL,
    kind     TEXT    NOT NULL CHECK (kind IN ('asked', 'told', 'added', 'dropped', 'reopened')),
    trial    INTEGER NOT NULL,
    at       REAL    NOT NULL,
    value    REAL,                               -- of told and added, as also and reason
    also     TEXT    NOT NULL DEFAULT '',
    reason   TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (study, sequence)
) WITHOUT ROWID;
-- Until now each trial had at most one answer, the one in its row.
INSERT INTO event_2 (study, sequence, kind, trial, at, value, reason)
SELECT e.study, e.sequence, e.kind, e.trial,
       CASE e.kind WHEN 'asked' THEN t.asked_at ELSE coalesce(t.ended_at, t.asked_at) END,
       CASE WHEN e.kind IN ('told', 'added') THEN t.value END,
       CASE WHEN e.kind IN ('told', 'added') THEN t.reason ELSE '' END
FROM event e JOIN trial t ON t.study = e.study AND t.id = e.trial;
DROP TABLE event;
ALTER TABLE event_2 RENAME TO event;
-- A trial is asked for or added once; it may be answered, dropped and reopened several times.
CREATE UNIQUE INDEX event_begins ON event (study, trial) WHERE kind IN ('asked', 'added');
