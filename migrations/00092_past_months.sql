-- The months before an install began have no partitions: each connection that plans a query reads about all there are.
-- +goose Up
-- Older programs: they write ids of the present; one of a past month would go to the partition that takes all others.
-- +goose StatementBegin
DO $$
DECLARE
  part record;
  empty boolean;
BEGIN
  IF to_regclass('pg_dist_partition') IS NOT NULL THEN RETURN; END IF; -- on several servers they stay
  -- For the runs that leave, PostgreSQL looks for jobs of theirs: by index, and not among all jobs.
  SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_seqscan = off;
  FOR part IN
    SELECT i.inhparent::regclass AS parent, i.inhrelid::regclass AS month FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent IN ('jobs'::regclass, 'executions'::regclass, 'webhook_attempts'::regclass, 'webhook_deliveries'::regclass, 'audit_entries'::regclass)
      AND c.relname ~ '_[0-9]{6}$' AND right(c.relname, 6) < to_char(now() AT TIME ZONE 'UTC', 'YYYYMM')
    ORDER BY i.inhparent = 'executions'::regclass, 1, 2 -- jobs before the runs that they refer to
  LOOP
    EXECUTE format('SELECT NOT EXISTS (SELECT FROM %s)', part.month) INTO empty;
    CONTINUE WHEN NOT empty;
    EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', part.parent, part.month);
    EXECUTE format('DROP TABLE %s', part.month);
  END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
-- Rows of these months would be in the partition that takes all others, if there were any.
SELECT 1;
