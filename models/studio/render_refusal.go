package studio

import (
	"strings"

	"atelier/models"
)

// refusalOf is why a stage of a shot cannot be made, in the words of the production: the field of
// the shot, or of the production, that the node has it from.
func (f *film) refusalOf(st *step) error {
	if st.stage == ImageStage && st.node.Type == cardType && st.node.Data["text"] == "" {
		return models.Invalid(f.at(st.shot)+"action", "is empty, and so is everything else of the shot that a card could show")
	}
	for _, node := range st.nodes() {
		refusal, known := models.AsError(f.examined.Refusal(node.ID))
		if !known {
			continue
		}
		field, found := strings.CutPrefix(refusal.Field, "nodes."+node.ID+".data.")
		head := field
		if i := strings.IndexAny(field, ".["); i >= 0 {
			head = field[:i]
		}
		says := st.fieldNames[head]
		if says == narratorField && f.narrator != "" {
			says = f.narrator
		}
		if found && says != "" {
			return moved(refusal, says+field[len(head):])
		}
		return f.inPipeline(st.stage, refusal)
	}
	return nil
}

// moved is a refusal of another field.
func moved(refusal *models.Error, field string) *models.Error {
	at := *refusal
	at.Message = field + strings.TrimPrefix(refusal.Message, refusal.Field)
	at.Field = field
	return &at
}

// inPipeline is a refusal of what the pipeline itself says.
func (f *film) inPipeline(stage StageName, err error) error {
	refusal, known := models.AsError(err)
	if !known {
		return err
	}
	what := refusal.Message
	if i := strings.Index(what, ".data."); i >= 0 && strings.HasPrefix(what, "nodes.") {
		what = what[i+len(".data."):]
	}
	return models.Invalid("pipelineId", "names a pipeline that cannot be used: in its stage %s, %s", stage, what)
}
