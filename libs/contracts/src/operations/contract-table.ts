import type { Profile } from '@acervo/public-mapping';
import type { OperationKind, OperationRights } from '../operation';
import type { Screen } from '../screens';

/**
 * One operation of the contract with the product's clients. Tests compare declarations with it, and the reference lists
 * undeclared ones; rights follow from the declarations alone.
 */
export interface ContractedOperation extends OperationRights {
  readonly code: string;
  readonly kind: OperationKind;
}

const rows = (
  kind: OperationKind,
  profile: Profile,
  listed: Readonly<Record<string, readonly Screen[]>>,
): readonly ContractedOperation[] =>
  Object.entries(listed).map(([code, screens]) => ({ code, kind, profile, screens }));

const readsOfUsers = rows('read', 'USUARIO', {
  'areas.list': ['API_KEYS', 'MANAGE_ENTITIES', 'MANAGE_USERS', 'WORKSPACES'],
  'documents.get': ['DOCUMENTS'],
  'documents.get_chunks': ['DOCUMENTS'],
  'documents.get_features': ['DOCUMENTS'],
  'documents.list': ['DOCS_DASHBOARD', 'DOCUMENTS', 'PROCESS_DOCUMENTS'],
  'functions.get': [
    'AUDIT_USERS',
    'CHAT-FINAL-USER',
    'CHAT-USER',
    'DOCS_DASHBOARD',
    'MANAGE_GROUP_PROCESSES',
    'SECURITY-DASHBOARD',
    'SUBSCRIPTION_CANCELLATIONS',
  ],
  'locations.list': [
    'CHAT-FINAL-USER',
    'CHAT-USER',
    'DOC_LOCATIONS',
    'MANAGE_ENTITIES',
    'PROCESS_DOCUMENTS',
    'PROCESS_PIPELINE',
  ],
  'processes.get': ['PROFILE_PROCESS'],
  'processes.list': ['PROFILE_PROCESS'],
  'processes.profile_dashboard': ['PROFILE_PROCESS'],
  'spaces.list': ['CHAT-FINAL-USER', 'CHAT-USER', 'WORKSPACES'],
  'spaces.list_documents': ['WORKSPACES'],
});

const readsOfAdministrators = rows('read', 'ADMINISTRADOR', {
  'applications.list': ['MANAGE_USERS'],
  'areas.list_locations': ['MANAGE_ENTITIES'],
  'audit.list': ['AUDIT_USERS', 'SECURITY-DASHBOARD'],
  'document_statuses.list': ['DOCS_DASHBOARD'],
  'document_types.get_boundary': ['DOC_FEATURE_CATEGORIES'],
  'document_types.get_impact': ['DOC_FEATURE_CATEGORIES'],
  'document_types.list': ['DOC_FEATURE_CATEGORIES'],
  'document_types.list_categories': ['DOC_FEATURE_CATEGORIES'],
  'document_types.list_features': ['DOC_FEATURE_CATEGORIES'],
  'document_types.summary_by_entity': ['GROUP_DOCUMENT_TYPES'],
  'documents.count_by_status': ['DOCS_DASHBOARD', 'PROCESS_DOCUMENTS', 'PROCESS_PIPELINE'],
  'entities.get_dependencies': ['MANAGE_ENTITIES'],
  'entities.list': ['MANAGE_ENTITIES', 'MANAGE_USERS', 'SECURITY-DASHBOARD'],
  'group_processes.list': ['MANAGE_GROUP_PROCESSES'],
  'group_tasks.list': ['MANAGE_GROUP_TASKS'],
  'locations.get_acquisition_skill': ['DOC_LOCATIONS'],
  'locations.preview_delete': ['DOC_LOCATIONS', 'PROCESS_PIPELINE'],
  'parameter_categories.list': ['MANAGE_GROUP_PARAMS'],
  'parameter_types.list': ['MANAGE_GROUP_PARAMS'],
  'parameters.list_group': ['MANAGE_GROUP_PARAMS'],
  'pipeline_runs.list': ['PROCESS_DOCUMENTS', 'PROCESS_PIPELINE'],
  'queue.batch_status': ['PROCESS_DOCUMENTS'],
  'queue.list_orphans': ['PROCESS_PIPELINE'],
  'queue.list_run': ['PROCESS_DOCUMENTS'],
  'queue.pipeline_summary': ['DOCS_DASHBOARD', 'PROCESS_PIPELINE'],
  'roles.list': ['API_KEYS', 'MANAGE_USERS', 'SECURITY-DASHBOARD'],
  'users.list': ['MANAGE_USERS'],
  'users.list_entities': ['MANAGE_USERS'],
  'users.list_roles': ['MANAGE_USERS'],
});

const writesOfUsers = rows('write', 'USUARIO', {
  'processes.reorder': ['PROFILE_PROCESS'],
  'processes.update': ['PROFILE_PROCESS'],
  'session.set_active_entity': ['SESSION'],
  'spaces.create': ['WORKSPACES'],
  'spaces.promote': ['WORKSPACES'],
  'spaces.reapply_skill': ['WORKSPACES'],
  'spaces.refresh': ['WORKSPACES'],
  'spaces.set_criteria': ['WORKSPACES'],
  'spaces.update': ['WORKSPACES'],
});

const writesOfAdministrators = rows('write', 'ADMINISTRADOR', {
  'areas.add_location': ['MANAGE_ENTITIES'],
  'areas.create': ['MANAGE_ENTITIES'],
  'areas.update': ['MANAGE_ENTITIES'],
  'document_types.add_category': ['DOC_FEATURE_CATEGORIES'],
  'document_types.add_feature': ['DOC_FEATURE_CATEGORIES'],
  'document_types.create': ['DOC_FEATURE_CATEGORIES', 'GROUP_DOCUMENT_TYPES'],
  'document_types.set_boundary': ['DOC_FEATURE_CATEGORIES'],
  'document_types.update': ['DOC_FEATURE_CATEGORIES', 'GROUP_DOCUMENT_TYPES'],
  'document_types.update_category': ['DOC_FEATURE_CATEGORIES'],
  'document_types.update_feature': ['DOC_FEATURE_CATEGORIES'],
  'documents.set_ingestion_order': ['PROCESS_DOCUMENTS'],
  'entities.create': ['MANAGE_ENTITIES'],
  'entities.update': ['MANAGE_ENTITIES'],
  'feature_categories.generate_md': ['DOC_FEATURE_CATEGORIES'],
  'group_processes.create': ['MANAGE_GROUP_PROCESSES'],
  'group_processes.reorder': ['MANAGE_GROUP_PROCESSES'],
  'group_processes.update': ['MANAGE_GROUP_PROCESSES'],
  'group_tasks.create': ['MANAGE_GROUP_TASKS'],
  'group_tasks.reorder': ['MANAGE_GROUP_TASKS'],
  'group_tasks.update': ['MANAGE_GROUP_TASKS'],
  'groups.update': ['MANAGE_ENTITIES'],
  'groups.update_parameters': ['MANAGE_ENTITIES'],
  'ingestion_runs.advance': ['PROCESS_PIPELINE'],
  'ingestion_runs.start': ['PROCESS_PIPELINE'],
  'locations.create': ['DOC_LOCATIONS'],
  'locations.generate_md': ['DOC_LOCATIONS'],
  'locations.materialize_web': ['DOC_LOCATIONS'],
  'locations.rebuild_hierarchy': ['DOC_LOCATIONS'],
  'locations.research_web': ['DOC_LOCATIONS'],
  'locations.review_web': ['DOC_LOCATIONS'],
  'locations.sync': ['DOC_LOCATIONS', 'PROCESS_PIPELINE'],
  'locations.update': ['DOC_LOCATIONS', 'PROCESS_PIPELINE'],
  'parameters.update_group': ['MANAGE_GROUP_PARAMS'],
  'pipeline_runs.update': ['PROCESS_DOCUMENTS'],
  'queue.process_batch': ['PROCESS_DOCUMENTS', 'PROCESS_PIPELINE'],
  'queue.resolve_llm_alerts': ['PROCESS_PIPELINE'],
  'users.add_entity': ['MANAGE_USERS'],
  'users.add_role': ['MANAGE_USERS'],
  'users.create': ['MANAGE_USERS'],
  'users.reorder_roles': ['MANAGE_USERS'],
  'users.update': ['MANAGE_USERS'],
});

const confirmedOfUsers = rows('write_confirm', 'USUARIO', {
  'documents.delete': ['DOCUMENTS', 'PROCESS_DOCUMENTS'],
  'documents.revert': ['DOCUMENTS', 'PROCESS_DOCUMENTS'],
  'processes.delete': ['PROFILE_PROCESS'],
  'spaces.delete': ['WORKSPACES'],
});

const confirmedOfAdministrators = rows('write_confirm', 'ADMINISTRADOR', {
  'areas.delete': ['MANAGE_ENTITIES'],
  'areas.remove_location': ['MANAGE_ENTITIES'],
  'document_types.delete': ['DOC_FEATURE_CATEGORIES', 'GROUP_DOCUMENT_TYPES'],
  'document_types.remove_category': ['DOC_FEATURE_CATEGORIES'],
  'document_types.remove_feature': ['DOC_FEATURE_CATEGORIES'],
  'documents.report_missing': ['PROCESS_DOCUMENTS'],
  'entities.delete': ['MANAGE_ENTITIES'],
  'group_processes.delete': ['MANAGE_GROUP_PROCESSES'],
  'group_tasks.delete': ['MANAGE_GROUP_TASKS'],
  'ingestion_runs.cancel': ['PROCESS_PIPELINE'],
  'locations.delete': ['DOC_LOCATIONS', 'PROCESS_PIPELINE'],
  'users.delete': ['MANAGE_USERS'],
  'users.remove_entity': ['MANAGE_USERS'],
});

/** Every operation of the contract, declared or not, by code. */
export const contractedOperations: readonly ContractedOperation[] = [
  ...readsOfUsers,
  ...readsOfAdministrators,
  ...writesOfUsers,
  ...writesOfAdministrators,
  ...confirmedOfUsers,
  ...confirmedOfAdministrators,
].toSorted((one, other) => (one.code < other.code ? -1 : 1));
