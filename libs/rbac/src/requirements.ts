import type { ScopeClaims } from '@acervo/contracts';

/** Screens of the application that roles hold and that routes ask for. */
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

/** What a route asks of its caller. A route without one is refused: "nothing" has to be written. */
export type Requirement =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'credential' }
  | { readonly kind: 'screens'; readonly anyOf: readonly Screen[] };

export const requirements = {
  nobody: { kind: 'nobody' },
  credential: { kind: 'credential' },
  anyOf: (...anyOf: Screen[]): Requirement => ({ kind: 'screens', anyOf }),
} as const satisfies Record<string, Requirement | ((...anyOf: Screen[]) => Requirement)>;

/** Readers of documents: list, detail, edges. */
export const readsDocuments = requirements.anyOf('DOCUMENTS', 'DOCS_DASHBOARD', 'PROCESS_DOCUMENTS');
/** Whoever follows the work on documents: queue and runs. */
export const followsIngestion = requirements.anyOf('PROCESS_DOCUMENTS', 'PROCESS_PIPELINE');
/** People and programs that ask: search, answers, conversations. */
export const searches = requirements.anyOf('CHAT-USER', 'CHAT-FINAL-USER', 'DOCUMENTS');

export const reaches = ({ functions }: Pick<ScopeClaims, 'functions'>, requirement: Requirement): boolean =>
  requirement.kind !== 'screens' || requirement.anyOf.some((screen) => functions.includes(screen));
