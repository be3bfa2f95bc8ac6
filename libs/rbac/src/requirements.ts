import type { Screen, ScopeClaims } from '@acervo/contracts';
import { profile, type Profile } from '@acervo/public-mapping';

/**
 * What a route requires of its caller. A route without a requirement is refused; an open route declares `nobody`. That of
 * an operation derives from its rights: see `operations.ts`.
 */
export type Requirement =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'credential' }
  | { readonly kind: 'session' }
  | { readonly kind: 'screens'; readonly anyOf: readonly Screen[] }
  | { readonly kind: 'level'; readonly profile: Profile; readonly anyOf: readonly Screen[] };

export const requirements = {
  nobody: { kind: 'nobody' },
  credential: { kind: 'credential' },
  /** A session, even without its second factor: for the routes of the second factor, and for logout. */
  session: { kind: 'session' },
  anyOf: (...anyOf: Screen[]): Requirement => ({ kind: 'screens', anyOf }),
  /** Administrators with one of the screens, and SYSTEM users. */
  administrators: (...anyOf: Screen[]): Requirement => ({ kind: 'level', profile: 'ADMINISTRADOR', anyOf }),
  system: { kind: 'level', profile: 'SISTEMA', anyOf: [] },
} as const satisfies Record<string, Requirement | ((...anyOf: Screen[]) => Requirement)>;

/** Users of searches, answers and conversations, which are no operations. */
export const searches = requirements.anyOf('CHAT-USER', 'CHAT-FINAL-USER', 'DOCUMENTS');

/** Users who run skills over documents and spaces. */
export const runsSkills = requirements.anyOf('DOCUMENTS', 'WORKSPACES');

/** Access levels as numbers that can be compared, lowest first. */
export const levelOf = (code: Profile): number => profile.internalCodes.indexOf(code);

export const reaches = (caller: Pick<ScopeClaims, 'functions' | 'profile'>, requirement: Requirement): boolean => {
  if (requirement.kind !== 'screens' && requirement.kind !== 'level') return true;
  const holdsOne = requirement.anyOf.some((screen) => caller.functions.includes(screen));
  if (requirement.kind === 'screens') return holdsOne;
  return caller.profile === 'SISTEMA' || (levelOf(caller.profile) >= levelOf(requirement.profile) && holdsOne);
};
