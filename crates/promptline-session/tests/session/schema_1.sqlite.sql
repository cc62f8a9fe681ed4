CREATE TABLE session (
    id TEXT PRIMARY KEY, epoch INTEGER NOT NULL, number INTEGER NOT NULL, next_seq INTEGER NOT NULL,
    covers_through INTEGER NOT NULL DEFAULT 0, facts BLOB, summary BLOB,
    created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE turn (
    session TEXT NOT NULL, seq INTEGER NOT NULL, turn_id TEXT NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (session, seq)
);
CREATE UNIQUE INDEX turn_by_id ON turn (session, turn_id);
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counter VALUES ('epoch', 1);
INSERT INTO session VALUES ('old', 1, 1, 2, 0, NULL, NULL, 5, 5);
INSERT INTO turn VALUES ('old', 1, 't1', CAST(
    '{"id":"t1","seq":1,"messages":[{"role":"user","parts":[{"type":"text","text":"hello"}]}]}' AS BLOB));
PRAGMA user_version = 1;
