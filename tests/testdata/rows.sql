-- A row in every table that is empty, made up from the types, references and checks of its columns, and one more for each word
-- that a column may have. What the checks refuse is left out.
DO $fill$
DECLARE
  t record; c record; words text[]; names text[]; vals text[]; word text; at int;
BEGIN
  FOR round IN 1..6 LOOP -- a table comes after those that it refers to
    FOR t IN SELECT k.oid, k.relname FROM pg_class k WHERE k.relnamespace = 'public'::regnamespace AND k.relkind IN ('r', 'p') AND NOT k.relispartition
        AND k.relname NOT LIKE 'river%' AND k.relname NOT LIKE 'goose%' ORDER BY 2 LOOP
      EXECUTE format('SELECT count(*) FROM (SELECT FROM %I LIMIT 1) one', t.relname) INTO at;
      CONTINUE WHEN at > 0;
      FOR whole IN 0..1 LOOP -- without the columns that may be left out, or with them
        names := '{}'; vals := '{}'; words := '{}';
        FOR c IN SELECT a.attname, format_type(a.atttypid, a.atttypmod) AS type,
            (SELECT format('(SELECT %I FROM %s LIMIT 1)', fa.attname, fk.confrelid::regclass) FROM pg_constraint fk JOIN pg_attribute fa ON fa.attrelid = fk.confrelid
              AND fa.attnum = fk.confkey[array_position(fk.conkey, a.attnum)] WHERE fk.conrelid = t.oid AND fk.contype = 'f' AND a.attnum = ANY (fk.conkey) LIMIT 1) AS refers,
            (SELECT array_agg(hit[1]) FROM pg_constraint k, regexp_matches(
                substring(pg_get_constraintdef(k.oid) FROM '\m' || a.attname || '\M = (?:ANY \(+ARRAY\[[^]]*|''[^'']+'')'), '''([^'']+)''', 'g') hit
              WHERE k.conrelid = t.oid AND k.contype = 'c' AND a.attnum = ANY (k.conkey) AND a.atttypid = 'text'::regtype) AS words,
            (SELECT max((regexp_match(pg_get_constraintdef(k.oid), 'octet_length\(' || a.attname || '\) = (\d+)'))[1]) FROM pg_constraint k
              WHERE k.conrelid = t.oid AND k.contype = 'c') AS bytes
          FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity = ''
            AND (whole = 1 OR a.attnotnull AND NOT a.atthasdef) ORDER BY a.attnum LOOP
          names := names || quote_ident(c.attname);
          vals := vals || CASE WHEN c.refers IS NOT NULL THEN c.refers
            WHEN c.words IS NOT NULL THEN quote_literal(c.words[1])
            WHEN c.type = 'uuid' THEN '(left(first_id(now())::text, 15) || right(gen_random_uuid()::text, 21))::uuid'
            WHEN c.type LIKE 'timestamp%' THEN 'now()'
            WHEN c.type = 'date' THEN 'current_date'
            WHEN c.type IN ('integer', 'bigint', 'smallint', 'numeric', 'double precision', 'real') THEN '1'
            WHEN c.type = 'boolean' THEN 'true'
            WHEN c.type LIKE 'json%' THEN '''{}'''
            WHEN c.type = 'bytea' THEN format('decode(lpad(to_hex((random() * 1000000000)::int), 2 * %1$s, ''0''), ''hex'')', coalesce(c.bytes, '32'))
            WHEN c.type LIKE '%[]' THEN '''{}'''
            WHEN c.type = 'text' THEN '''x'' || (random() * 1000000000)::int'
            ELSE 'NULL' END;
          FOREACH word IN ARRAY coalesce(c.words, '{}') LOOP
            words := words || ARRAY[array_length(vals, 1)::text, quote_literal(word)];
          END LOOP;
        END LOOP;
        FOR n IN 0..coalesce(array_length(words, 1), 0) / 2 LOOP
          IF n > 0 THEN
            word := vals[words[2*n-1]::int];
            vals[words[2*n-1]::int] := words[2*n];
          END IF;
          BEGIN
            EXECUTE format('INSERT INTO %I (%s) VALUES (%s)', t.relname, array_to_string(names, ', '), array_to_string(vals, ', '));
          EXCEPTION WHEN OTHERS THEN
            IF round = 6 THEN RAISE DEBUG '%: %', t.relname, SQLERRM; END IF;
          END;
          IF n > 0 THEN
            vals[words[2*n-1]::int] := word;
          END IF;
        END LOOP;
      END LOOP;
    END LOOP;
  END LOOP;
END $fill$;

INSERT INTO join_codes (workspace_id, code, enabled, rotated_at, rotated_by) SELECT w.id, 'ABCDEFGH', true, now(), u.id FROM workspaces w, users u LIMIT 1
  ON CONFLICT DO NOTHING; -- a code made up of random digits is a valid one now and then
INSERT INTO results (execution_id, account_id, node_id, kind, excerpt, created_at)
  SELECT e.id, e.account_id, 'n', k, 'x', now() FROM (SELECT id, account_id, row_number() OVER () AS n FROM executions) e
  JOIN unnest(ARRAY['image', 'video', 'audio', 'text', 'file']) WITH ORDINALITY AS kinds (k, n) USING (n);
INSERT INTO schedule_fires (trigger_id, fire_minute, local_label, outcome, last_minute, created_at, settled_at, try_at)
  SELECT t.id, now() + n * interval '1 minute', n::text, o, now(), now(), CASE WHEN o <> 'due' THEN now() END, CASE WHEN o = 'due' THEN now() END
  FROM (SELECT id FROM workflow_triggers LIMIT 1) t, unnest(ARRAY['due', 'started', 'skipped_running', 'skipped_paused', 'failed', 'missed']) WITH ORDINALITY AS outcomes (o, n);
