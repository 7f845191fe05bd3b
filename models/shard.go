package models

import (
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Runs can be spread over several database servers. Which of them has a run follows from its shard: twelve random bits of the
// id of the space that pays for it, the workspace or the account, which the ids of the run and of its jobs repeat, so that an
// id alone says where its row lies. Statements on executions, jobs and results say where they look by a condition:
// FitsID, shard_fits_space, and shards_match where they join. On one server these are true, and cost nothing; docs/scale.md tells the rest.

// Shards is how many shards there are.
const Shards = 1 << 12

// ShardOf is the shard in an id.
func ShardOf(id ID) int { return int(id[8]&0x0f)<<8 | int(id[9]) }

// InShardOf is an id with the shard of another one.
func InShardOf(id, of ID) ID {
	id[8], id[9] = id[8]&0xf0|of[8]&0x0f, of[9]
	return id
}

// SpaceOf is the space that pays, and says the shard: the workspace where there is one, else the account.
func SpaceOf(workspaceID *ID, accountID ID) ID {
	if workspaceID != nil {
		return *workspaceID
	}
	return accountID
}

// FitsID is the condition for the row with an id in a column of executions, jobs or results:
//
//	query.Where(models.FitsID("id", id))
func FitsID(column string, id ID) (condition string, one, again ID) {
	return column + " = ? AND shard_fits_id(" + shardBeside(column) + ", ?)", id, id
}

// FitsIDs is FitsID for several ids; those of more than one are looked for on all shards.
func FitsIDs(column string, ids []ID) clause.Expr {
	if len(ids) == 1 {
		condition, id, again := FitsID(column, ids[0])
		return gorm.Expr(condition, id, again)
	}
	return gorm.Expr(column+" IN ?", ids)
}

// shardBeside is the column shard of the same table as a column.
func shardBeside(column string) string {
	for i := range column {
		if column[i] == '.' {
			return column[:i+1] + "shard"
		}
	}
	return "shard"
}
