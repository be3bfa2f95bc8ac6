/** Subjects of the handbook, in its order. Each language has all of them. */
export const sectionCodes = [
  'PRODUCT',
  'SEARCHING',
  'RESULTS',
  'ASKING',
  'CITATIONS',
  'ABSTENTION',
  'CONVERSATIONS',
  'HELP',
  'FOCUS',
  'FIXED_KEYS',
  'STALE_FOCUS',
  'FOLDERS',
  'SCANS',
  'DOCUMENT_STATUSES',
  'DOCUMENT_CHANGES',
  'FILE_KINDS',
  'UNREAD_FILES',
  'TYPES',
  'SPACES',
  'SPACE_ALGEBRA',
  'SKILLS',
  'OPERATIONS',
  'PREVIEWS',
  'CONNECTING',
  'AGENT_TOOLS',
  'KEYS',
  'KEY_BOUNDS',
  'QUOTAS',
  'RATE_LIMITS',
  'PASSWORDS',
  'SECOND_FACTOR',
  'USERS',
  'ROLES',
  'ENTITIES_AND_AREAS',
  'PARAMETERS',
  'AUDIT',
  'ERRORS_ACCESS',
  'ERRORS_STATE',
] as const;
export type SectionCode = (typeof sectionCodes)[number];

/**
 * A section as it is written: three to eight sentences, each of which can stand alone in an answer. `{DOCUMENTS}`
 * stands for the name of that screen. A sentence has no links, no addresses and no citation marks.
 */
export interface SectionText {
  readonly title: string;
  readonly sentences: readonly string[];
}

/** The handbook in one language. */
export type HandbookText = Readonly<Record<SectionCode, SectionText>>;
