-- Version 3, the same tables as in SQLite.

ALTER TABLE trial ADD COLUMN also BYTEA NOT NULL DEFAULT '';
ALTER TABLE late_answer ADD COLUMN also BYTEA NOT NULL DEFAULT '';

ALTER TABLE event DROP CONSTRAINT event_kind_check;
ALTER TABLE event ADD CHECK (kind IN ('asked', 'told', 'added', 'dropped', 'reopened'));
ALTER TABLE event ADD COLUMN at DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE event ADD COLUMN value DOUBLE PRECISION;
ALTER TABLE event ADD COLUMN also BYTEA NOT NULL DEFAULT '';
ALTER TABLE event ADD COLUMN reason BYTEA NOT NULL DEFAULT '';
-- Until now each trial had at most one answer, the one in its row.
UPDATE event e
SET at     = CASE e.kind WHEN 'asked' THEN t.asked_at ELSE coalesce(t.ended_at, t.asked_at) END,
    value  = CASE WHEN e.kind IN ('told', 'added') THEN t.value END,
    reason = CASE WHEN e.kind IN ('told', 'added') THEN t.reason ELSE '' END
FROM trial t
WHERE t.study = e.study AND t.id = e.trial;
DROP INDEX event_once;
CREATE UNIQUE INDEX event_begins ON event (study, trial) WHERE kind IN ('asked', 'added');
