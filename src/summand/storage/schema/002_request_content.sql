-- Version 2. A key belongs to one request: what that was is kept beside it. Keys of version 1 have no content, and repeat
-- nothing any more.
ALTER TABLE request ADD COLUMN content TEXT NOT NULL DEFAULT '';
