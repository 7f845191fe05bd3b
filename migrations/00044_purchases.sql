-- Purchases of credits, their reversals, events of payment providers, and numbers of receipts.
-- +goose Up

-- Packs that somebody bought for an organization, as they were at that moment. What refunds and disputes asked for and
-- what the pool held of it stand beside each other; both together are never more than was bought.
CREATE TABLE purchases (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  pack_id text NOT NULL,
  label text NOT NULL,
  credits bigint NOT NULL CHECK (credits > 0),
  price bigint NOT NULL CHECK (price > 0),
  currency text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'paid', 'canceled', 'disputed', 'refunded')),
  provider text NOT NULL CHECK (provider IN ('manual', 'stripe')),
  url text NOT NULL DEFAULT '',
  number text UNIQUE,
  created_by uuid NOT NULL REFERENCES users (id),
  confirmed_by uuid REFERENCES users (id),
  created_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  session text UNIQUE,
  payment text UNIQUE,
  refund_requested bigint NOT NULL DEFAULT 0,
  refund_applied bigint NOT NULL DEFAULT 0,
  dispute_requested bigint NOT NULL DEFAULT 0,
  dispute_applied bigint NOT NULL DEFAULT 0,
  CHECK (refund_applied BETWEEN 0 AND refund_requested),
  CHECK (dispute_applied BETWEEN 0 AND dispute_requested),
  CHECK (refund_requested + dispute_requested <= credits),
  CHECK (confirmed_at IS NOT NULL OR refund_requested + dispute_requested = 0),
  CHECK ((confirmed_at IS NULL) = (number IS NULL)),
  CHECK ((confirmed_at IS NULL) = (status IN ('pending', 'canceled')))
);
CREATE INDEX purchases_organization ON purchases (organization_id, id DESC);
CREATE INDEX purchases_status ON purchases (status, id DESC);
CREATE INDEX purchases_pending ON purchases (organization_id) WHERE status = 'pending';

-- What took credits of a purchase back, or gave them again.
CREATE TABLE purchase_reversals (
  id uuid PRIMARY KEY,
  purchase_id uuid NOT NULL REFERENCES purchases (id),
  kind text NOT NULL CHECK (kind IN ('refund', 'dispute', 'reinstatement')),
  requested bigint NOT NULL CHECK (requested > 0),
  applied bigint NOT NULL CHECK (applied BETWEEN 0 AND requested),
  by_id uuid REFERENCES users (id),
  created_at timestamptz NOT NULL
);
CREATE INDEX purchase_reversals_purchase ON purchase_reversals (purchase_id, id);

-- What a provider told, each once: what is true of a purchase is worked out from all that was told of it, in whatever
-- order it came. Those that came before their purchase was known wait by the name of the payment.
CREATE TABLE payment_events (
  provider text NOT NULL,
  event_id text NOT NULL,
  purchase_id uuid REFERENCES purchases (id),
  payment text,
  kind text NOT NULL CHECK (kind IN ('paid', 'expired', 'charge', 'refund', 'dispute')),
  object text NOT NULL,
  amount bigint NOT NULL CHECK (amount >= 0),
  state text NOT NULL,
  happened_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (provider, event_id)
);
CREATE INDEX payment_events_purchase ON payment_events (purchase_id) WHERE purchase_id IS NOT NULL;
CREATE INDEX payment_events_payment ON payment_events (payment) WHERE purchase_id IS NULL;
CREATE INDEX payment_events_waiting ON payment_events (received_at) WHERE purchase_id IS NULL;

-- The numbers of receipts run on without a gap, each year from 1.
CREATE TABLE receipt_numbers (
  year integer PRIMARY KEY,
  last bigint NOT NULL
);

-- A line of the ledger that a purchase moved says which; a purchase enters a pool once. A refund that found the pool
-- empty is a line of 0.
ALTER TABLE ledger_entries ADD COLUMN purchase_id uuid;
CREATE UNIQUE INDEX ledger_entries_purchased ON ledger_entries (purchase_id) WHERE kind = 'purchase' AND purchase_id IS NOT NULL;
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_check;
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_amount_check CHECK (amount > 0 OR (kind IN ('release', 'refund', 'dispute') AND amount = 0));

-- +goose Down
DELETE FROM ledger_entries WHERE kind IN ('refund', 'dispute') AND amount = 0;
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_amount_check;
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_check CHECK (amount > 0 OR (kind = 'release' AND amount = 0));
DROP INDEX ledger_entries_purchased;
ALTER TABLE ledger_entries DROP COLUMN purchase_id;
DROP TABLE receipt_numbers, payment_events, purchase_reversals, purchases;
