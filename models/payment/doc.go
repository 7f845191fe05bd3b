// Package payment holds how organizations buy credits: packs, purchases, the
// ways to pay, and what refunds and disputes take back (contract 3, "Budget
// rules").
package payment
