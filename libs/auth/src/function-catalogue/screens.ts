import type { Screen } from '@acervo/contracts';
import type { Profile } from '@acervo/public-mapping';

/** The applications that screens are part of. */
export const applications = [
  { code: 'WEB', name: 'Aplicación web' },
  { code: 'DESKTOP', name: 'Aplicación de escritorio' },
] as const;
export type ApplicationCode = (typeof applications)[number]['code'];

/** Where a screen belongs, as the catalogue seeds it. */
export interface ScreenSeed {
  /** The lowest access level that has it. */
  readonly profile: Profile;
  readonly applications: readonly ApplicationCode[];
}

const both = ['WEB', 'DESKTOP'] as const;
const user = (...applications: ApplicationCode[]): ScreenSeed => ({ profile: 'USUARIO', applications });
const administrator = (...applications: ApplicationCode[]): ScreenSeed => ({ profile: 'ADMINISTRADOR', applications });

/** Every screen, in the order of the menu. */
export const screenSeeds: Readonly<Record<Screen, ScreenSeed>> = {
  'CHAT-USER': user(...both),
  'CHAT-FINAL-USER': user(...both),
  DOCUMENTS: user(...both),
  WORKSPACES: user(...both),
  PROFILE_PROCESS: user(...both),
  SESSION: user(...both),
  DOCS_DASHBOARD: administrator(...both),
  PROCESS_DOCUMENTS: administrator(...both),
  PROCESS_PIPELINE: administrator(...both),
  DOC_LOCATIONS: administrator(...both),
  DOC_FEATURE_CATEGORIES: administrator('WEB'),
  GROUP_DOCUMENT_TYPES: administrator('WEB'),
  MANAGE_ENTITIES: administrator('WEB'),
  MANAGE_USERS: administrator('WEB'),
  API_KEYS: administrator('WEB'),
  MANAGE_GROUP_PARAMS: administrator('WEB'),
  MANAGE_GROUP_PROCESSES: administrator('WEB'),
  MANAGE_GROUP_TASKS: administrator('WEB'),
  AUDIT_USERS: administrator('WEB'),
  'SECURITY-DASHBOARD': administrator('WEB'),
  SUBSCRIPTION_CANCELLATIONS: administrator('WEB'),
};
