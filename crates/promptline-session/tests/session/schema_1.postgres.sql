CREATE TABLE promptline_schema (version bigint NOT NULL);
INSERT INTO promptline_schema VALUES (1);
CREATE TABLE promptline_session (
    id text COLLATE "C" PRIMARY KEY, epoch bigint NOT NULL, number bigint NOT NULL, next_seq bigint NOT NULL,
    covers_through bigint NOT NULL DEFAULT 0, facts bytea, summary bytea,
    created_ms bigint NOT NULL, updated_ms bigint NOT NULL
);
CREATE TABLE promptline_turn (
    session text COLLATE "C" NOT NULL, seq bigint NOT NULL, turn_id text COLLATE "C" NOT NULL,
    body bytea NOT NULL, PRIMARY KEY (session, seq), UNIQUE (session, turn_id)
);
CREATE SEQUENCE promptline_epoch START 2;
INSERT INTO promptline_session VALUES ('old', 1, 1, 2, 0, NULL, NULL, 5, 5);
INSERT INTO promptline_turn VALUES ('old', 1, 't1', convert_to(
    '{"id":"t1","seq":1,"messages":[{"role":"user","parts":[{"type":"text","text":"hello"}]}]}', 'UTF8'));
