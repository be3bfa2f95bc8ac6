/** Operations of the contract whose domain is not built yet, by area. The list may only shrink. */
const pending = {
  document_types: [
    'add_category',
    'add_feature',
    'create',
    'delete',
    'get_boundary',
    'get_impact',
    'list',
    'list_categories',
    'list_features',
    'remove_category',
    'remove_feature',
    'set_boundary',
    'summary_by_entity',
    'update',
    'update_category',
    'update_feature',
  ],
  documents: ['get_features'],
  feature_categories: ['generate_md'],
  group_processes: ['create', 'delete', 'list', 'reorder', 'update'],
  group_tasks: ['create', 'delete', 'list', 'reorder', 'update'],
  locations: ['generate_md', 'get_acquisition_skill', 'materialize_web', 'research_web', 'review_web'],
  processes: ['delete', 'get', 'list', 'profile_dashboard', 'reorder', 'update'],
  queue: ['resolve_llm_alerts'],
  spaces: [
    'create',
    'delete',
    'list',
    'list_documents',
    'promote',
    'reapply_skill',
    'refresh',
    'set_criteria',
    'update',
  ],
} as const;

export const pendingOperations: readonly string[] = Object.entries(pending).flatMap(([area, verbs]) =>
  verbs.map((verb) => `${area}.${verb}`),
);
