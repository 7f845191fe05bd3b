-- What a row of each table is, what makes the table grow and what ends its rows, as comments in the database.
-- +goose Up

-- docs/schema.md is written from these comments, each of the form: A row is …. Grows with …. Ends ….

COMMENT ON TABLE audit_entries IS 'A row is an entry of an organization''s audit log, chained to the one before by its hash. Grows with changes in organizations. Ends never.';
COMMENT ON TABLE audit_heads IS 'A row is the end of an organization''s audit log: the number and the hash of its latest entry. Grows with organizations. Ends never.';
COMMENT ON TABLE idempotency_keys IS 'A row is the remembered answer to a request with an Idempotency-Key. Grows with requests that carry a key. Ends after 24 hours.';
COMMENT ON TABLE key_fingerprints IS 'A row is the fingerprint of a key of the configuration with which the database is used. Grows with nothing: the two keys have a row each. Ends never: another key replaces the fingerprint.';
COMMENT ON TABLE rate_windows IS 'A row is the count of calls for one key, such as an account or an address, in one window of a limit. Grows with limits and the keys that call, in each window. Ends a day after its window.';

COMMENT ON TABLE api_tokens IS 'A row is a personal API token, kept as a hash. Grows with tokens that people create. Ends never: a revoked token stays.';
COMMENT ON TABLE email_tokens IS 'A row is a link that confirms an address or lets a password be chosen, mailed or handed over by an operator. Grows with requests for such links. Ends a day after it expires.';
COMMENT ON TABLE external_identities IS 'A row is the link between an account and its identity at an external provider. Grows with accounts that sign in that way, one for each. Ends when its account is deleted.';
COMMENT ON TABLE external_sign_ins IS 'A row is the count of sign-ins through one provider with one outcome on one day. Grows with providers, outcomes and days. Ends 400 days after the last sign-in that it counts.';
COMMENT ON TABLE operator_acts IS 'A row is an action of a platform operator on an account, with the reason. Grows with such actions. Ends never.';
COMMENT ON TABLE passkey_challenges IS 'A row is a passkey challenge that was answered and is not accepted a second time. Grows with sign-ins and confirmations by passkey. Ends a day after it expires.';
COMMENT ON TABLE passkeys IS 'A row is a passkey of an account. Grows with passkeys that people add. Ends when it is removed, when an operator resets the second factor, or when its account is deleted.';
COMMENT ON TABLE recovery_codes IS 'A row is a recovery code of an account, kept as a hash. Grows with accounts that have a second factor, a fixed number for each. Ends when new codes replace it, when the last second factor goes, or when its account is deleted.';
COMMENT ON TABLE second_steps IS 'A row is a sign-in whose password was right and whose second step is awaited. Grows with sign-ins to accounts with a second factor, up to a bound for each account. Ends a day after it expires, when newer ones reach the bound, when an operator resets the second factor, or when its account is banned or deleted.';
COMMENT ON TABLE sessions IS 'A row is a session of an account. Grows with sign-ins. Ends a day after it expires: one that is ended before stays until then.';
COMMENT ON TABLE sign_ups IS 'A row is a sign-up whose address is not confirmed yet. Grows with sign-ups where the service sends mail. Ends when an account with its address begins, or a day after its link expires.';
COMMENT ON TABLE sso_tokens IS 'A row is a one-time token of an external sign-in that becomes a session. Grows with external sign-ins. Ends a day after it expires, or when its account is banned or deleted.';
COMMENT ON TABLE totp_secrets IS 'A row is the secret of an account''s authenticator app, sealed. Grows with accounts that set one up, one for each. Ends when it is removed, a day after it began if it was never confirmed, when an operator resets the second factor, or when its account is deleted.';
COMMENT ON TABLE used_assertions IS 'A row is an assertion of a provider that was used and is not accepted a second time. Grows with sign-ins by assertion. Ends a minute after the assertion could be used.';
COMMENT ON TABLE user_pictures IS 'A row is the picture that a person uploaded for the account. Grows with accounts that have one. Ends when it is removed or its account is deleted.';
COMMENT ON TABLE users IS 'A row is the account of a person. Grows with people who sign up. Ends never: a deleted account keeps its id and its name, without address and password.';

COMMENT ON TABLE oauth_apps IS 'A row is an app of others that may act for accounts that allow it. Grows with registrations by people and by programs. Ends 90 days after it was deleted, once no grant refers to it: an app that registered itself is deleted after 180 days without use if no account allows it, and ends after 30 days if it was never used.';
COMMENT ON TABLE oauth_codes IS 'A row is an authorization code, kept as a hash. Grows with approvals. Ends a day after it expires.';
COMMENT ON TABLE oauth_grants IS 'A row is what an account allows an app. Grows with accounts and the apps that they allow. Ends 90 days after it was revoked, once no code and no token refers to it.';
COMMENT ON TABLE oauth_tokens IS 'A row is an access token of an app, kept as a hash. Grows with codes that are exchanged. Ends a day after it expires or is revoked.';

COMMENT ON TABLE invitation_batches IS 'A row is a call that invited a list of addresses. Grows with such calls. Ends after 30 days, once nothing of it waits to be sent.';
COMMENT ON TABLE invitation_sends IS 'A row is the outcome for one address of an invitation batch. Grows with addresses that are invited. Ends with its batch.';
COMMENT ON TABLE invitations IS 'A row is an invitation of an address to an organization, and to a workspace where it names one. Grows with addresses that are invited. Ends never: it is accepted, revoked or expires.';
COMMENT ON TABLE join_codes IS 'A row is the join code of a workspace. Grows with workspaces that have one. Ends never: a code is replaced or disabled.';
COMMENT ON TABLE kept_suspensions IS 'A row is the suspension of a person whose membership has ended. Grows with suspended members who leave or are removed. Ends when it is lifted, when an admin adds the person again, or when the account is deleted.';
COMMENT ON TABLE organization_members IS 'A row is the membership of an account in an organization. Grows with people who join. Ends when the person leaves, is removed or deletes the account: memberships in a deleted organization stay.';
COMMENT ON TABLE organizations IS 'A row is a school or a team. Grows with organizations that are created. Ends never: a deleted organization keeps its row and frees its slug.';
COMMENT ON TABLE workspace_members IS 'A row is the membership of an account in a workspace. Grows with members of workspaces. Ends when the person is removed from the workspace, and with the membership in the organization.';
COMMENT ON TABLE workspaces IS 'A row is a workspace of an organization. Grows with workspaces that are created. Ends never: a workspace is archived.';

COMMENT ON TABLE notification_choices IS 'A row is the choice of an account whether one kind of notification is mailed. Grows with accounts that choose, and kinds. Ends when its account is deleted.';
COMMENT ON TABLE notifications IS 'A row is a notification of an account, or several that are bundled until they are read. Grows with what people are told. Ends after 90 days, when its account has more than 500, or when its account is deleted.';

COMMENT ON TABLE credit_requests IS 'A row is a request of a member for credits. Grows with requests. Ends after 90 days, answered or not.';
COMMENT ON TABLE ledger_comparisons IS 'A row is a comparison of the counters of credits with the ledger. Grows with comparisons, at least one a day. Ends after 400 days.';
COMMENT ON TABLE ledger_entries IS 'A row is a movement of credits between two books. Grows with runs that cost something (a hold, a release and a charge for each priced node), purchases, grants and allocations. Ends never: entries are only added.';
COMMENT ON TABLE member_budgets IS 'A row is the cap of a member of a workspace and what the member uses of its budget. Grows with members who have a cap or run something. Ends never.';
COMMENT ON TABLE organization_pools IS 'A row is the credits of an organization that no workspace has. Grows with organizations, one for each. Ends never.';
COMMENT ON TABLE usage_open IS 'A row is a run that a workspace pays and that is not added up in the reports yet. Grows with runs that workspaces pay. Ends when the ended run is added up, or when its account is deleted.';
COMMENT ON TABLE wallets IS 'A row is the credits of the personal space of an account. Grows with accounts, one for each. Ends never.';
COMMENT ON TABLE workspace_budgets IS 'A row is the credits that a workspace was allocated and what it uses of them. Grows with workspaces, one for each. Ends never.';

COMMENT ON TABLE payment_events IS 'A row is an event of a payment provider, each once. Grows with payments, refunds and disputes. Ends never if it belongs to a purchase, and otherwise after 30 days.';
COMMENT ON TABLE purchase_reversals IS 'A row is a refund, a dispute or a reinstatement of a purchase. Grows with these. Ends never.';
COMMENT ON TABLE purchases IS 'A row is a pack of credits that an organization buys. Grows with purchases that are begun. Ends never: one that is not paid is canceled.';
COMMENT ON TABLE receipt_numbers IS 'A row is the last number of a receipt in a year. Grows with years. Ends never.';

COMMENT ON TABLE usage_gaps IS 'A row is the days of a workspace from which the history of a deleted account was removed. Grows with accounts that are deleted. Ends never.';
COMMENT ON TABLE usage_quarters IS 'A row is the costs of a workspace or an organization in a quarter of an hour, of one model or of all. Grows with quarters of an hour in which runs cost something, and models. Ends never, but for rows that a repair finds wrong.';
COMMENT ON TABLE usage_sums IS 'A row is the costs of a member in a workspace with one model, in a quarter of an hour, a day or a month. Grows with quarters of an hour in which members run what costs something, and models. Ends when the account is deleted, and where a repair finds it wrong.';

COMMENT ON TABLE lane_items IS 'A row is work that waits or goes on: a job of a node, its later result at a provider, or a delivery. Grows with work that is not done yet. Ends when the work is done, given up or cancelled.';
COMMENT ON TABLE lane_owners IS 'A row is an account that has had work of one kind. Grows with accounts and kinds of work. Ends never.';
COMMENT ON TABLE lanes IS 'A row is a queue: the work of one kind of an account, or the deliveries to an endpoint. Grows with accounts, kinds of work and webhook endpoints. Ends with its webhook endpoint: queues of accounts stay.';
COMMENT ON TABLE workers IS 'A row is a process that does work, and when it was seen last. Grows with processes. Ends when the process stops, or a day after it was seen last.';

COMMENT ON TABLE webhook_attempts IS 'A row is an attempt to deliver an event. Grows with deliveries and their retries. Ends after 30 days, or with its delivery or endpoint.';
COMMENT ON TABLE webhook_deliveries IS 'A row is an event for an endpoint. Grows with jobs that end, for each endpoint that receives them. Ends after 30 days, or with its endpoint.';
COMMENT ON TABLE webhook_endpoints IS 'A row is an address that receives the events of an account. Grows with endpoints that are registered. Ends when it is deleted, when the approval of the app that registered it ends, or when its account is deleted.';

COMMENT ON TABLE account_erasures IS 'A row is a deleted account whose runs are still to be removed. Grows with accounts that are deleted. Ends when all its runs are removed.';
COMMENT ON TABLE app_daily_runs IS 'A row is the count of runs of an app by an account on a day. Grows with apps, accounts that run them, and days. Ends a day after its day, or when its account is deleted.';
COMMENT ON TABLE app_runs IS 'A row is a run of an app in the list of the account that made it, also one that is not started yet. Grows with runs of apps. Ends when it is deleted from the archive, or when its account is deleted.';
COMMENT ON TABLE app_versions IS 'A row is a published version of an app, with its graph and its form. Grows with publications. Ends never: the graph is emptied when the app is deleted.';
COMMENT ON TABLE apps IS 'A row is a workflow that is published as an app. Grows with workflows that are published. Ends never: a deleted app keeps its row and frees its slug.';
COMMENT ON TABLE content_removals IS 'A row is the content of a removed private file that may still lie in the storage of files. Grows with private files that are removed. Ends when the content is removed, or kept for another file.';
COMMENT ON TABLE credential_nodes IS 'A row is a node of a workflow that sends with a credential. Grows with such nodes. Ends when the workflow is saved without it, with its credential, or with its workflow.';
COMMENT ON TABLE credentials IS 'A row is a header and a key that workflows of an account send with, sealed. Grows with credentials that people create. Ends when it is deleted, or when its account is deleted.';
COMMENT ON TABLE executions IS 'A row is a run of a workflow, an app or a single node. Grows with runs. Ends when its account is deleted, or with its month if an operator drops that: it stays when its contents are erased.';
COMMENT ON TABLE job_refs IS 'A row is what a job may use of the library, as it was when its run was accepted. Grows with jobs that name something of the library. Ends two days after the end of its run, or when the contents of the run are erased.';
COMMENT ON TABLE jobs IS 'A row is a node of a run, with its inputs, its outputs and its cost. Grows with nodes that run. Ends when its account is deleted, or with its month if an operator drops that: it stays when its contents are erased.';
COMMENT ON TABLE kept_outputs IS 'A row is the bytes that an ended run keeps, and how many of them are counted. Grows with runs that end. Ends never: the bytes fall when the run is erased.';
COMMENT ON TABLE media_files IS 'A row is a stored file: an upload, a result of a run, a private file or a copy for a post. Grows with uploads, results and copies. Ends when the contents of its run are erased, when its account is deleted unless it is private, when what shows a private file or a copy goes, or when an upload becomes a private file.';
COMMENT ON TABLE projects IS 'A row is a folder of workflows in a personal space or a workspace. Grows with accounts and workspaces, which begin with one, and with folders that people create. Ends never: a deleted project keeps its row.';
COMMENT ON TABLE results IS 'A row is the main result of a completed run. Grows with runs that make something. Ends when the contents of its run are erased, or soon after its account is deleted.';
COMMENT ON TABLE schedule_fires IS 'A row is a minute at which a schedule started a run or should have. Grows with active schedules and their minutes. Ends after 14 days, or with its trigger.';
COMMENT ON TABLE storage_quotas IS 'A row is how much each account or each workspace may keep. Grows with nothing: there are two rows, written at the start from the configuration. Ends never.';
COMMENT ON VIEW storage_sums IS 'A row is what an account or a workspace keeps, added up from the rows themselves. Grows with nothing: it is a view. Ends with what it adds up.';
COMMENT ON TABLE storage_usage IS 'A row is the counters of what an account or a workspace keeps. Grows with accounts and workspaces that keep something. Ends never.';
COMMENT ON TABLE workflow_collaborators IS 'A row is an account that a workflow is shared with. Grows with such shares. Ends when the share is taken back, or when the workflow or the account is deleted.';
COMMENT ON TABLE workflow_triggers IS 'A row is what starts a workflow by itself: an address that is called, or a schedule. Grows with triggers that people add. Ends when it or its node is removed, or when its workflow is deleted.';
COMMENT ON TABLE workflow_versions IS 'A row is a saved version of a workflow''s graph. Grows with saves. Ends when its workflow is deleted.';
COMMENT ON TABLE workflows IS 'A row is a workflow. Grows with workflows that are created or copied. Ends never: a deleted workflow keeps its row, without its versions.';

COMMENT ON TABLE community_marks IS 'A row is a like, a use or a report of a post by an account. Grows with likes, copies and reports. Ends when a like is taken back, with its post, or when its account is deleted.';
COMMENT ON TABLE community_posts IS 'A row is a snapshot of something that was posted for others to look at and copy. Grows with posts. Ends when it is deleted, when its author''s account is deleted, or soon after its organization is.';
COMMENT ON TABLE consents IS 'A row is a step in the history of the consent of a person who is depicted or heard. Grows with consents that are given, confirmed, changed or withdrawn. Ends never, also when what it is about is deleted.';
COMMENT ON TABLE element_cancels IS 'A row is a deleted element that depicts a person and whose runs are still to be cancelled. Grows with such elements that are deleted. Ends when its runs are cancelled.';
COMMENT ON TABLE element_images IS 'A row is a picture of an element. Grows with pictures that are added or made. Ends when it is removed, with its element, or 30 days after the consent of the person in it expired.';
COMMENT ON TABLE element_uses IS 'A row is the use of an element, a preset or a voice by a run. Grows with runs that use something of the library. Ends never.';
COMMENT ON TABLE elements IS 'A row is a character, an object, a creature, a location or a face. Grows with elements that are created or copied. Ends when it is deleted, when the person in it withdraws consent or deletes the account, when its owner deletes the account and it is personal or a face, or soon after its organization is deleted.';
COMMENT ON TABLE library_jobs IS 'A row is a job whose result goes to an element or a voice. Grows with generated pictures, trainings, clones and previews. Ends never.';
COMMENT ON TABLE library_removals IS 'A row is a deleted organization of which the library still keeps something. Grows with organizations that are deleted. Ends when nothing is left.';
COMMENT ON TABLE node_presets IS 'A row is a set of settings of a node type, kept by a name. Grows with presets that are created or copied. Ends when it is deleted, with its owner''s account where it is personal, or soon after its organization is deleted.';
COMMENT ON TABLE provider_removals IS 'A row is something that is still to be deleted at a provider. Grows with trained models, voices and recordings that are deleted. Ends when the provider has deleted it.';
COMMENT ON TABLE result_erasures IS 'A row is a run whose results are to be erased with an element that it used. Grows with elements that are deleted with their results. Ends when the results are erased.';
COMMENT ON TABLE voices IS 'A row is a designed or a cloned voice. Grows with voices that are created or copied. Ends when it is deleted, when the person who is heard withdraws consent or deletes the account, when its owner deletes the account and it is personal or cloned, or soon after its organization is deleted.';

COMMENT ON TABLE breakdown_jobs IS 'A row is a job that breaks a script down into shots. Grows with such jobs. Ends after a month, or with its production.';
COMMENT ON TABLE pipelines IS 'A row is a recipe by which shots are made. Grows with pipelines that are created or copied. Ends when it is deleted, with its owner''s account if it is personal, or soon after its organization is deleted.';
COMMENT ON TABLE production_renders IS 'A row is a run that renders a production. Grows with renders. Ends with its production.';
COMMENT ON TABLE productions IS 'A row is a production: a script, its cast, its shots and its film. Grows with productions that are created or copied. Ends when it is deleted, with its owner''s account if it is personal, or soon after its organization is deleted.';
COMMENT ON TABLE render_cancels IS 'A row is a render of a deleted production that is still to be cancelled. Grows with productions that are deleted while they are rendered. Ends when the render is cancelled.';
COMMENT ON TABLE shot_results IS 'A row is the latest result of a stage of a shot. Grows with shots and their stages: a later result replaces it. Ends with its shot.';
COMMENT ON TABLE shot_shares IS 'A row is a shot that is shared with everyone by a link. Grows with shots that are shared. Ends when its time is over or the share is taken back, with its shot, when its owner''s account or its organization is deleted, or when a person in it withdraws consent or deletes the account.';
COMMENT ON TABLE shots IS 'A row is a shot of a production. Grows with shots that are added, copied or broken down from a script. Ends when it is removed, with its production, or when another breakdown replaces it.';
COMMENT ON TABLE studio_removals IS 'A row is a deleted organization of which the studio still keeps something. Grows with organizations that are deleted. Ends when nothing is left.';

-- +goose Down
-- +goose StatementBegin
DO $$
DECLARE commented regclass;
BEGIN
  FOR commented IN
    SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND obj_description(oid, 'pg_class') LIKE 'A row is %'
  LOOP
    EXECUTE format('COMMENT ON TABLE %s IS NULL', commented);
  END LOOP;
  COMMENT ON VIEW storage_sums IS NULL;
END $$;
-- +goose StatementEnd
