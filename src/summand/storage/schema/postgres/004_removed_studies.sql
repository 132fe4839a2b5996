-- Version 4, the same table as in SQLite.
CREATE TABLE removed_study (
    id         BIGINT PRIMARY KEY,
    name       TEXT NOT NULL,
    removed_at DOUBLE PRECISION NOT NULL
);
