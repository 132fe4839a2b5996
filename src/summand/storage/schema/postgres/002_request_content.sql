-- Version 2. A key belongs to one request: what that was is kept beside it.
ALTER TABLE request ADD COLUMN content BYTEA NOT NULL DEFAULT '';
