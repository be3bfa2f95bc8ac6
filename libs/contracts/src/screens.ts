/** Screens of the application. Roles give them; routes and operations require them. */
export const screens = [
  'API_KEYS',
  'AUDIT_USERS',
  'CHAT-FINAL-USER',
  'CHAT-USER',
  'DOCS_DASHBOARD',
  'DOCUMENTS',
  'DOC_FEATURE_CATEGORIES',
  'DOC_LOCATIONS',
  'GROUP_DOCUMENT_TYPES',
  'MANAGE_ENTITIES',
  'MANAGE_GROUP_PARAMS',
  'MANAGE_GROUP_PROCESSES',
  'MANAGE_GROUP_TASKS',
  'MANAGE_USERS',
  'PROCESS_DOCUMENTS',
  'PROCESS_PIPELINE',
  'PROFILE_PROCESS',
  'SECURITY-DASHBOARD',
  'SESSION',
  'SUBSCRIPTION_CANCELLATIONS',
  'WORKSPACES',
] as const;
export type Screen = (typeof screens)[number];

/** The stable English name of a function. Its stored alias is a text of the screens, in their language. */
export const aliasOfFunction = (code: string): string => code.toLowerCase().replaceAll('-', '_');
