package graph

// nounLoaders are the loaders of the single nouns, each in the file of its noun.
type nounLoaders struct {
	executions    executionLoaders
	organizations organizationLoaders
	results       resultLoaders
	webhooks      webhookLoaders
	workflows     workflowLoaders
}

func newNounLoaders(r *Resolver) nounLoaders {
	return nounLoaders{
		executions:    newExecutionLoaders(r),
		organizations: newOrganizationLoaders(r),
		results:       newResultLoaders(r),
		webhooks:      newWebhookLoaders(r),
		workflows:     newWorkflowLoaders(r),
	}
}
