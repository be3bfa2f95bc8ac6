import type { ScopeClaims } from '@acervo/contracts';
import { profile, type Profile } from '@acervo/public-mapping';

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
  | { readonly kind: 'session' }
  | { readonly kind: 'screens'; readonly anyOf: readonly Screen[] }
  | { readonly kind: 'level'; readonly profile: Profile; readonly anyOf: readonly Screen[] };

export const requirements = {
  nobody: { kind: 'nobody' },
  credential: { kind: 'credential' },
  /** A session, even one that still owes its second factor: for the routes by which it is given, and for the way out. */
  session: { kind: 'session' },
  anyOf: (...anyOf: Screen[]): Requirement => ({ kind: 'screens', anyOf }),
  /** Administrators with one of the screens, and SYSTEM users. */
  administrators: (...anyOf: Screen[]): Requirement => ({ kind: 'level', profile: 'ADMINISTRADOR', anyOf }),
  system: { kind: 'level', profile: 'SISTEMA', anyOf: [] },
} as const satisfies Record<string, Requirement | ((...anyOf: Screen[]) => Requirement)>;

/** Readers of documents: list, detail, edges. */
export const readsDocuments = requirements.anyOf('DOCUMENTS', 'DOCS_DASHBOARD', 'PROCESS_DOCUMENTS');
/** Whoever follows the work on documents: queue and runs. */
export const followsIngestion = requirements.anyOf('PROCESS_DOCUMENTS', 'PROCESS_PIPELINE');
/** People and programs that ask: search, answers, conversations. */
export const searches = requirements.anyOf('CHAT-USER', 'CHAT-FINAL-USER', 'DOCUMENTS');

/** Access levels as numbers that can be compared, lowest first. */
export const levelOf = (code: Profile): number => profile.internalCodes.indexOf(code);

export const reaches = (caller: Pick<ScopeClaims, 'functions' | 'profile'>, requirement: Requirement): boolean => {
  if (requirement.kind !== 'screens' && requirement.kind !== 'level') return true;
  const holdsOne = requirement.anyOf.some((screen) => caller.functions.includes(screen));
  if (requirement.kind === 'screens') return holdsOne;
  return caller.profile === 'SISTEMA' || (levelOf(caller.profile) >= levelOf(requirement.profile) && holdsOne);
};
