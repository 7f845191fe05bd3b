//go:build !race

package tests

import (
	"context"
	"reflect"
	"sync"
	"testing"

	"gorm.io/gorm/schema"

	"atelier/models"
	"atelier/models/account"
	"atelier/models/credit"
	"atelier/models/dbtest"
	"atelier/models/event"
	"atelier/models/flow"
	"atelier/models/org"
	"atelier/models/run"
	"atelier/models/space"
)

// TestModelsFitTheSchema compares every gorm model with the migrated database:
// the same columns, and a pointer exactly where a column may be null.
func TestModelsFitTheSchema(t *testing.T) {
	db := dbtest.New(t)
	for _, model := range []any{
		&models.AuditEntry{}, &models.AuditHead{}, &models.IdempotencyKey{},
		&account.User{}, &account.Session{}, &account.APIToken{},
		&org.Organization{}, &org.OrganizationMember{}, &org.Workspace{}, &org.WorkspaceMember{}, &org.JoinCode{},
		&credit.Entry{}, &credit.OrganizationPool{}, &credit.WorkspaceBudget{}, &credit.MemberBudget{}, &credit.Wallet{}, &credit.Comparison{},
		&event.Endpoint{}, &event.Delivery{}, &event.Attempt{},
		&space.Project{}, &flow.Workflow{}, &flow.Version{}, &flow.Collaborator{}, &flow.App{}, &flow.AppVersion{}, &run.AppRun{}, &run.Execution{}, &run.Job{},
	} {
		parsed, err := schema.Parse(model, &sync.Map{}, schema.NamingStrategy{})
		if err != nil {
			t.Fatal(err)
		}
		t.Run(parsed.Table, func(t *testing.T) { compareModel(t, db, parsed) })
	}
}

type column struct {
	ColumnName string
	Nullable   bool
}

func compareModel(t *testing.T, db *models.DB, parsed *schema.Schema) {
	var columns []column
	err := db.Read(context.Background()).Raw(`SELECT column_name, is_nullable = 'YES' AS nullable FROM information_schema.columns
		WHERE table_schema = 'public' AND table_name = ? AND is_generated = 'NEVER'`, parsed.Table).Scan(&columns).Error
	if err != nil {
		t.Fatal(err)
	}
	if len(columns) == 0 {
		t.Fatalf("there is no table %s", parsed.Table)
	}
	inDatabase := map[string]bool{}
	for _, c := range columns {
		inDatabase[c.ColumnName] = true
		field := parsed.LookUpField(c.ColumnName)
		switch {
		case field == nil && c.ColumnName == "shard": // what inserts runs writes it, and nothing reads it but conditions
		case field == nil:
			t.Errorf("column %s has no field", c.ColumnName)
		case tells(field.FieldType) && c.Nullable != mayBeNull(field.FieldType):
			t.Errorf("column %s may be null: %v, but the field is a %s", c.ColumnName, c.Nullable, field.FieldType)
		}
	}
	for _, field := range parsed.Fields {
		if field.DBName != "" && field.Creatable && !inDatabase[field.DBName] {
			t.Errorf("field %s has no column %s", field.Name, field.DBName)
		}
	}
}

// tells leaves out slices and maps, which have a value for NULL and may
// stand for a column that is never null as well.
func tells(t reflect.Type) bool { return t.Kind() != reflect.Slice && t.Kind() != reflect.Map }

// mayBeNull tells whether a field has a value for NULL.
func mayBeNull(t reflect.Type) bool { return t.Kind() == reflect.Pointer }
