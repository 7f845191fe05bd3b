package migrations

// DespiteDeadlocks is what Up and Down run migrations with.
var DespiteDeadlocks = despiteDeadlocks
