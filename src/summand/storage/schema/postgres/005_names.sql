-- Version 5, the same tables as in SQLite.
ALTER TABLE study ADD COLUMN goal TEXT NOT NULL DEFAULT 'minimize' CHECK (goal IN ('minimize', 'maximize'));
UPDATE study SET goal = 'maximize' WHERE maximize <> 0;
ALTER TABLE study DROP COLUMN maximize;

ALTER TABLE event DROP CONSTRAINT event_kind_check;
UPDATE event SET kind = 'abandoned' WHERE kind = 'dropped';
ALTER TABLE event ADD CHECK (kind IN ('asked', 'told', 'added', 'abandoned', 'reopened'));
