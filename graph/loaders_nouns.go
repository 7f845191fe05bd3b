package graph

// nounLoaders are the loaders of the single nouns, each in the file of its noun.
type nounLoaders struct {
	elements      elementLoaders
	executions    executionLoaders
	organizations organizationLoaders
	purchases     purchaseLoaders
	results       resultLoaders
	webhooks      webhookLoaders
	workflows     workflowLoaders
}

func newNounLoaders(r *Resolver) nounLoaders {
	return nounLoaders{
		elements:      newElementLoaders(r),
		executions:    newExecutionLoaders(r),
		organizations: newOrganizationLoaders(r),
		purchases:     newPurchaseLoaders(r),
		results:       newResultLoaders(r),
		webhooks:      newWebhookLoaders(r),
		workflows:     newWorkflowLoaders(r),
	}
}
