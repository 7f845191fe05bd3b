package operator

import (
	"context"

	"atelier/web/frame"
	"atelier/web/query"
)

// The doctor of an install (server/doctor*.go) speaks English, on the machine itself too. What operators read on the page is
// said here in their language; what is not known stays as the doctor said it.

// The parts of an install that are looked at.
var _ = []string{
	markc("part of an install", "Settings"), markc("part of an install", "Database"), markc("part of an install", "Schema"),
	markc("part of an install", "Database settings"), markc("part of an install", "Connections"), markc("part of an install", "Clock"),
	markc("part of an install", "Months"), markc("part of an install", "Workers"), markc("part of an install", "Books"),
	markc("part of an install", "Standby"), markc("part of an install", "Keys"), markc("part of an install", "Disk"),
	markc("part of an install", "Storage"), markc("part of an install", "Programs"), markc("part of an install", "Mail"),
	markc("part of an install", "Outbound network"), markc("part of an install", "Public address"), markc("part of an install", "Backup"),
}

// sayings has this name for scripts/messages, which reads the messages out of it.
var sayings = frame.SayingsOf

// findingSayings are what was found.
var findingSayings = sayings(
	`PUBLIC_URL is (\S+): passwords and cookies travel in the open`, "PUBLIC_URL is $1: passwords and cookies travel in the open.",
	`LISTEN_ADDR (\S+) is open to other machines, and PUBLIC_URL is (\S+?)`, "LISTEN_ADDR $1 is open to other machines, and PUBLIC_URL is $2.",
	`No operator is named: credits are given by no one`, "No operator is named: credits are given by no one.",
	`No operator is named: new organizations wait for approval for ever`, "No operator is named: new organizations wait for approval for ever.",
	`DEVELOPMENT shows pages for developers to everyone`, "DEVELOPMENT shows pages for developers to everyone.",
	`METRICS_ADDR (\S+) answers on every network, without authentication`, "METRICS_ADDR $1 answers on every network, without authentication.",
	`(\w+): (.+) is unknown and ignored`, "$1: $2 is unknown and ignored.",
	`Nothing is odd; people open (\S+?)`, "Nothing is odd; people open $1.",

	`The database cannot be used: (.+?)`, "The database cannot be used: $1.",
	`A question to the database failed: (.+?)`, "A question to the database failed: $1.",
	`PostgreSQL (.+) is older than what the service works with`, "PostgreSQL $1 is older than what the service works with.",
	`The database is read-only: a standby, or a primary that was set so`, "The database is read-only: a standby, or a primary that was set so.",
	`The database keeps text as (\S+?)`, "The database keeps text as $1.",
	`PostgreSQL (.+) answers after (\d+) ms`, "PostgreSQL $1 answers after $2 ms.",
	`PostgreSQL (.+), (.+), answers in (\d+) ms`, "PostgreSQL $1, $2, answers in $3 ms.",
	`The database is of an older program`, "The database is of an older program.",
	`The database is of a newer program than this one`, "The database is of a newer program than this one.",
	`All migrations are applied`, "All migrations are applied.",
	`(\w+) is (\w+): a power cut destroys the database`, "$1 is $2: a power cut destroys the database.",
	`(\w+) is (\w+): runs that were accepted are lost in a crash`, "$1 is $2: runs that were accepted are lost in a crash.",
	`(\w+) is (\w+): tables grow without end`, "$1 is $2: tables grow without end.",
	`(\w+) is (\w+): autovacuum does not know where to work`, "$1 is $2: autovacuum does not know where to work.",
	`(\w+) is (\w+): a damaged disk goes unnoticed`, "$1 is $2: a damaged disk goes unnoticed.",
	`The oldest transaction is (\d+) back: at two thousand million the database stops to write`, "The oldest transaction is $1 back: at two thousand million the database stops to write.",
	`The system sorts text otherwise than when the indexes were made`, "The system sorts text otherwise than when the indexes were made.",
	`The disk fills up for a standby that does not come: (.+?)`, "The disk fills up for a standby that does not come: $1.",
	`Nothing is odd`, "Nothing is odd.",
	`(\d+) of (\d+) are taken`, "$1 of $2 are taken.",
	`This machine and the database are (\S+) apart`, "The clocks of this machine and of the database are $1 apart.",
	`This machine and the database agree`, "This machine and the database agree.",
	`Partitions are not made yet: (.+?)`, "Partitions are not made yet: $1.",
	`The growing tables have partitions for this month and the next`, "The growing tables have partitions for this month and the next.",
	`(\d+) pieces of work wait, and no process does them`, "Pieces of work that wait: $1. No process does them.",
	`No process works on runs and deliveries`, "No process works on runs and deliveries.",
	`(\d+) pieces of work wait, the oldest for (\S+?)`, "Pieces of work that wait: $1. The oldest has waited for $2.",
	`(\d+) process(?:es)? works?; (\d+) pieces of work are under way, (\d+) wait`, "Processes at work: $1. Pieces of work: $2 under way, $3 waiting.",
	`The books were not compared yet`, "The books were not compared yet.",
	`(\d+) counters differ from the ledger`, "Counters that differ from the ledger: $1.",
	`The books were last compared at (\S+?)`, "The books were last compared at $1.",
	`Every counter is what the ledger adds up to`, "Every counter is what the ledger adds up to.",
	`Reports are read from it`, "Reports are read from it.",
	`Reports are read from the primary: none is set`, "Reports are read from the primary: no standby is set.",
	`Reports are read from the primary: it was not looked at yet`, "Reports are read from the primary: the standby was not looked at yet.",
	`Reports are read from the primary: the primary does not answer`, "Reports are read from the primary, which does not answer.",
	`Reports are read from the primary: it cannot be asked: (.+?)`, "Reports are read from the primary: the standby cannot be asked: $1.",
	`Reports are read from the primary: it is a primary, and follows no other`, "Reports are read from the primary: what is set as the standby is a primary, and follows no other.",
	`Reports are read from the primary: it follows another primary, or has not heard yet which one is`,
	"Reports are read from the primary: the standby follows another primary, or has not heard yet which one is.",
	`Reports are read from the primary: synchronous_commit is off: what is committed may not be on its way to the standby`,
	"Reports are read from the primary: synchronous_commit is off, so what is committed may not be on its way to the standby.",
	`Reports are read from the primary: it is (\S+) behind`, "Reports are read from the primary: the standby is $1 behind.",
	`Reports are read from the primary: (.+?)`, "Reports are read from the primary: $1.",
	`The database does not say which keys it is used with: (.+?)`, "The database does not say which keys it is used with: $1.",
	`(\w+) is not set: secrets cannot be kept`, "$1 is not set: secrets cannot be kept.",
	`(\w+) is not the key that the database is used with`, "$1 is not the key that the database is used with.",
	`They are those that the database is used with`, "They are those that the database is used with.",

	`DATA_DIR cannot be looked at: (.+?)`, "DATA_DIR cannot be looked at: $1.",
	`(.+) are free where DATA_DIR lies; below (.+) no file is taken, below (.+) the database soon cannot write`,
	"$1 are free where DATA_DIR lies. Below $2 no file is taken, below $3 the database soon cannot write.",
	`(.+) are free where DATA_DIR lies`, "$1 are free where DATA_DIR lies.",
	`The disk of DATA_DIR has room for (\d+) more files of (\d+)`, "The disk of DATA_DIR has room for $1 more files of $2.",
	`Other accounts of this machine can read (.+) in DATA_DIR`, "Other accounts of this machine can read $1 in DATA_DIR.",
	`Files will lie in (.+?)`, "Files will lie in $1.",
	`Files cannot be kept: (.+?)`, "Files cannot be kept: $1.",
	`A file was written, read and removed in (\d+) ms \((.+)\)`, "A file was written, read and removed in $1 ms ($2).",
	`(\S+) is not installed: films and sounds are neither taken nor made`, "$1 is not installed: films and sounds are neither taken nor made.",
	`(\S+) is not installed: pictures in HEIC are not read`, "$1 is not installed: pictures in HEIC are not read.",
	`(\S+) is not installed: no text is spoken without a provider`, "$1 is not installed: no text is spoken without a provider.",
	`(\S+) is not installed: no speech is written down without a provider`, "$1 is not installed: no speech is written down without a provider.",
	`(\S+) is not installed: scenes are drawn by the built-in renderer`, "$1 is not installed: scenes are drawn by the built-in renderer.",
	`What nodes start is installed`, "What nodes start is installed.",
	`No mail is sent: people hand over links of invitations and for passwords`, "No mail is sent: people hand over links of invitations and for passwords.",
	`No mail can be sent: (.+?)`, "No mail can be sent: $1.",
	`The mail server (\S+) lets the service in`, "The mail server $1 lets the service in.",
	`This machine has no way out: events reach receivers of this network alone`, "This machine has no way out: events reach receivers of this network alone.",
	`This machine has a way out; no service outside is configured that could be asked`, "This machine has a way out; no service outside is configured that could be asked.",
	`(\w+(?: \S+)?) is not reached: (.+?)`, "$1 is not reached: $2.",
	`This machine's clock is (\S+) off that of (.+?)`, "This machine's clock is $1 off that of $2.",
	`(\w+(?: \S+)?) answers`, "$1 answers.",
	`Nothing answers at (\S+) from here: (.+?)`, "Nothing answers at $1 from here: $2.",
	`At (\S+) something else answers: /healthz is (\d+)`, "At $1 something else answers: /healthz is $2.",
	`The certificate of (\S+) ends in (-?\d+) days`, "Days until the certificate of $1 ends: $2.",
	`The service answers at (\S+?)`, "The service answers at $1.",
	`It is not known when the last backup was made`, "It is not known when the last backup was made.",
	`No backup was made: (.+) is not there`, "No backup was made: $1 is not there.",
	`The last backup is of (\S+?)`, "The last backup is of $1.",
)

// doSayings are what is to be done.
var doSayings = sayings(
	`Put a proxy with a certificate in front, and set PUBLIC_URL to its https:// address`, "Put a proxy with a certificate in front, and set PUBLIC_URL to its https:// address.",
	`Set PUBLIC_URL to the address that people open; every link has it`, "Set PUBLIC_URL to the address that people open; every link has it.",
	`Set PLATFORM_OPERATOR_EMAILS to your address`, "Set PLATFORM_OPERATOR_EMAILS to your address.",
	`Set PLATFORM_OPERATOR_EMAILS to your address, or ORG_AUTO_APPROVE`, "Set PLATFORM_OPERATOR_EMAILS to your address, or ORG_AUTO_APPROVE.",
	`Unset DEVELOPMENT where people work`, "Unset DEVELOPMENT where people work.",
	`Bind METRICS_ADDR to a private address`, "Bind METRICS_ADDR to a private address.",
	`Look for a typing error`, "Look for a typing error.",
	`Start it, or correct DATABASE_URL; the sentence says what went wrong`, "Start it, or correct DATABASE_URL; the sentence says what went wrong.",
	`Run atelier restore again`, "Run atelier restore again.",
	`Look at the log of the database`, "Look at the log of the database.",
	`Upgrade to PostgreSQL 15 or later`, "Upgrade to PostgreSQL 15 or later.",
	`Let DATABASE_URL name every server of the cluster, with target_session_attrs=read-write`, "Let DATABASE_URL name every server of the cluster, with target_session_attrs=read-write.",
	`Create a database with ENCODING 'UTF8', and move there`, "Create a database with ENCODING 'UTF8', and move there.",
	`Look at its processors, its disk and the network between`, "Look at its processors, its disk and the network between.",
	`Run atelier migrate up, or start the service, which does it`, "Run atelier migrate up, or start the service, which does it.",
	`Exchange the program everywhere; the older one goes on working meanwhile`, "Exchange the program everywhere; the older one goes on working meanwhile.",
	`Set fsync = on and restart it`, "Set fsync = on and restart it.",
	`Set (\w+) = on and reload it`, "Set $1 = on and reload it.",
	`Set synchronous_commit = on, or leave it to the replication`, "Set synchronous_commit = on, or leave it to the replication.",
	`Run pg_checksums --enable while the database is stopped`, "Run pg_checksums --enable while the database is stopped.",
	`End what holds it up \(old transactions, replication slots, prepared transactions\), and run VACUUM`,
	"End what holds it up (old transactions, replication slots, prepared transactions), and run VACUUM.",
	`REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION`, "REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION.",
	`Bring the standby back, or drop the slot \(pg_drop_replication_slot\)`, "Bring the standby back, or drop the slot (pg_drop_replication_slot).",
	`Raise max_connections, lower pool_max_conns in DATABASE_URL, or put a pooler in between`, "Raise max_connections, lower pool_max_conns in DATABASE_URL, or put a pooler in between.",
	`Let both machines keep time \(timedatectl set-ntp true\)`, "Let both machines keep time (timedatectl set-ntp true).",
	`Start a worker, which makes them within six hours; see its log where it does not`, "Start a worker, which makes them within six hours; see its log where it does not.",
	`Start atelier serve, or atelier worker`, "Start atelier serve, or atelier worker.",
	`Start more of atelier worker, and look at the log of those that run`, "Start more of atelier worker, and look at the log of those that run.",
	`A worker compares them every night; atelier reconcile does it now`, "A worker compares them every night; atelier reconcile does it now.",
	`Run atelier reconcile, which names them, and see docs/operations\.md`, "Run atelier reconcile, which names them, and see docs/operations.md.",
	`Run atelier reconcile; see the log of the workers, which do it every night`, "Run atelier reconcile; see the log of the workers, which do it every night.",
	`Look at its processors, its disk and the network between; a query there that takes minutes holds it up, too`,
	"Look at its processors, its disk and the network between; a query there that takes minutes holds it up, too.",
	`Bring the standby back, or correct or unset DATABASE_READ_URL`, "Bring the standby back, or correct or unset DATABASE_READ_URL.",
	`Set (\w+) to use event endpoints and credentials`, "Set $1 to use event endpoints and credentials.",
	`Give every process the same key; if it was exchanged on purpose, run atelier keys accept`, "Give every process the same key; if it was exchanged on purpose, run atelier keys accept.",

	`Create the folder, or set DATA_DIR to the one of the service`, "Create the folder, or set DATA_DIR to the one of the service.",
	`Delete what is not needed, or make the disk larger`, "Delete what is not needed, or make the disk larger.",
	`Make the disk larger soon`, "Make the disk larger soon.",
	`Move files to a bucket \(STORAGE_URL\), or to a disk that was made for more of them`, "Move files to a bucket (STORAGE_URL), or to a disk that was made for more of them.",
	`chmod 600 them`, "chmod 600 them.",
	`Look at the credentials, the bucket and its region in STORAGE_URL; the service reads, writes, lists and deletes there`,
	"Look at the credentials, the bucket and its region in STORAGE_URL; the service reads, writes, lists and deletes there.",
	`Let the service's account write into DATA_DIR/media`, "Let the service's account write into DATA_DIR/media.",
	`Install the Debian package (.+), where workers run`, "Install the Debian package $1 where workers run.",
	`Set SMTP_URL and MAIL_FROM for mails`, "Set SMTP_URL and MAIL_FROM for mails.",
	`Look at SMTP_URL: its host, port, account and password`, "Look at SMTP_URL: its host, port, account and password.",
	`Give the machine a route, unless it is meant to have none`, "Give the machine a route, unless it is meant to have none.",
	`Correct the address`, "Correct the address.",
	`Look at the firewall, at DNS, at HTTPS_PROXY, and whether the address is right`, "Look at the firewall, at DNS, at HTTPS_PROXY, and whether the address is right.",
	`Let the machine keep time \(timedatectl set-ntp true\)`, "Let the machine keep time (timedatectl set-ntp true).",
	`Correct PUBLIC_URL`, "Correct PUBLIC_URL.",
	`Start the service, or look at the proxy; if people reach it there, nothing is to be done`, "Start the service, or look at the proxy; if people reach it there, nothing is to be done.",
	`Let the proxy pass every path to the service`, "Let the proxy pass every path to the service.",
	`Renew it`, "Renew it.",
	`Have atelier backup run every night, with BACKUP_STAMP`, "Have atelier backup run every night, with BACKUP_STAMP.",
	`Look why the last one failed`, "Look why the last one failed.",
)

// findingIn is a finding in the reader's language.
func findingIn(ctx context.Context, f query.Finding) query.Finding {
	f.Name, f.Says, f.Do = tc(ctx, "part of an install", f.Name), findingSayings.In(ctx, f.Says), doSayings.In(ctx, f.Do)
	return f
}

// storagePlaceIn is where files lie.
func storagePlaceIn(ctx context.Context, place string) string {
	switch place {
	case "A folder of this machine":
		return t(ctx, "A folder of this machine")
	case "A bucket":
		return t(ctx, "A bucket")
	}
	return place
}
