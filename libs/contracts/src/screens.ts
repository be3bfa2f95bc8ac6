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

/** The title of each screen in menus, as the function catalogue of the product has it. */
export const screenNames: Readonly<Record<Screen, string>> = {
  API_KEYS: 'Claves de API',
  AUDIT_USERS: 'Auditoría',
  'CHAT-FINAL-USER': 'Asistente',
  'CHAT-USER': 'Conversación',
  DOCS_DASHBOARD: 'Panel de documentos',
  DOCUMENTS: 'Documentos',
  DOC_FEATURE_CATEGORIES: 'Categorías de características',
  DOC_LOCATIONS: 'Ubicaciones',
  GROUP_DOCUMENT_TYPES: 'Tipos de documento',
  MANAGE_ENTITIES: 'Entidades y áreas',
  MANAGE_GROUP_PARAMS: 'Parámetros del grupo',
  MANAGE_GROUP_PROCESSES: 'Procesos del grupo',
  MANAGE_GROUP_TASKS: 'Tareas del grupo',
  MANAGE_USERS: 'Gestión de usuarios',
  PROCESS_DOCUMENTS: 'Procesar documentos',
  PROCESS_PIPELINE: 'Canal de ingesta',
  PROFILE_PROCESS: 'Mis procesos',
  'SECURITY-DASHBOARD': 'Panel de seguridad',
  SESSION: 'Mi sesión',
  SUBSCRIPTION_CANCELLATIONS: 'Bajas de suscripción',
  WORKSPACES: 'Espacios de trabajo',
};

/** What the description of a screen that is not built begins with. */
export const PLANNED_SCREEN = 'Prevista: esta versión de Acervo no la ofrece todavía.';

/** The stable English name of a function. Its stored alias is a text of the screens, in their language. */
export const aliasOfFunction = (code: string): string => code.toLowerCase().replaceAll('-', '_');
