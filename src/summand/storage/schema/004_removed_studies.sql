-- Version 4. Studies may be deleted; their numbers are not given again, because a process may still have one open.
CREATE TABLE removed_study (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    removed_at REAL NOT NULL
);
