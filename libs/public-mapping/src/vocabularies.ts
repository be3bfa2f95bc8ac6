import { among, vocabulary } from './vocabulary';

/** The state of a document, from its discovery to search. */
export const documentStatus = vocabulary('document_status', {
  DETECTADO: 'DETECTED',
  ADQUIRIDO: 'ACQUIRED',
  EXTRAIDO: 'EXTRACTED',
  CLASIFICADO: 'CLASSIFIED',
  RESUMIDO: 'SUMMARIZED',
  FRAGMENTADO: 'CHUNKED',
  VECTORIZADO: 'VECTORIZED',
  ERROR: 'ERROR',
  NO_ENCONTRADO: 'MISSING',
  NO_SOPORTADO: 'UNSUPPORTED',
});
export type DocumentStatus = (typeof documentStatus.internalCodes)[number];

/** Access level of a role, lowest first. */
export const profile = vocabulary('profile', {
  USUARIO: 'USER',
  ADMINISTRADOR: 'ADMINISTRATOR',
  SISTEMA: 'SYSTEM',
});
export type Profile = (typeof profile.internalCodes)[number];

/** The roles of the product. */
export const builtInRole = vocabulary('built_in_role', {
  SEG_ADMIN_GRUPO: 'GROUP_ADMINISTRATOR',
  SISTEMA: 'SYSTEM',
  USUARIO: 'USER',
  USUARIO_FINAL: 'FINAL_USER',
});
/** Codes of roles: built-in ones, and those of groups. */
export const roleCode = among(builtInRole);

/** Whether an account is usable. PENDING: invited, without a password so far. */
export const userState = vocabulary('user_state', {
  ACTIVO: 'ACTIVE',
  INACTIVO: 'INACTIVE',
  PENDIENTE: 'PENDING',
});
export type UserState = (typeof userState.internalCodes)[number];

/**
 * Things that are deleted with their user. Keys that the user made for other users stay and no longer work; shared
 * spaces stay and belong to the administrators, and so do processes that are assigned to the user.
 */
export const dependencyKind = vocabulary('dependency_kind', {
  roles: 'ROLES',
  entidades: 'ENTITIES',
  claves_api: 'API_KEYS',
  claves_de_otros: 'KEYS_MADE_FOR_OTHERS',
  sesiones: 'SESSIONS',
  factores: 'FACTORS',
  respuestas_guardadas: 'STORED_ANSWERS',
  areas_de_trabajo: 'WORKING_AREAS',
  espacios_compartidos: 'SHARED_SPACES',
  conversaciones: 'CONVERSATIONS',
  procesos: 'PROCESSES',
  procesos_asignados: 'ASSIGNED_PROCESSES',
});

/** Where the original of a document lives. */
export const documentOrigin = vocabulary('document_origin', {
  CARPETA: 'FOLDER',
  WEB: 'WEB',
  PUBLICO: 'PUBLIC',
});
export type DocumentOrigin = (typeof documentOrigin.internalCodes)[number];

/** The state of one task of a document. */
export const queueStatus = vocabulary('queue_status', {
  PENDIENTE: 'PENDING',
  EN_PROCESO: 'IN_PROGRESS',
  COMPLETADO: 'COMPLETED',
  ERROR: 'ERROR',
  EN_ESPERA: 'WAITING',
});
export type QueueStatus = (typeof queueStatus.internalCodes)[number];

/** The steps that a document goes through, and the skills that run over it, by the name of their stage. */
export const pipelineProcess = vocabulary('pipeline_process', {
  acquire: 'ACQUIRE',
  extract: 'EXTRACT',
  classify: 'CLASSIFY',
  summarise: 'SUMMARIZE',
  chunk: 'CHUNK',
  embed: 'EMBED',
  'hand-over': 'HAND_OVER',
  vectors: 'VECTORS',
  skill: 'SKILL',
});
export type PipelineProcess = (typeof pipelineProcess.internalCodes)[number];

/** The state of a run: one scan of one location, with the work that follows from it. */
export const runStatus = vocabulary('run_status', {
  PENDIENTE: 'PENDING',
  ESCANEANDO: 'SCANNING',
  EN_PROCESO: 'IN_PROGRESS',
  COMPLETADO: 'COMPLETED',
  CANCELADO: 'CANCELLED',
});
export type RunStatus = (typeof runStatus.internalCodes)[number];

/** Who sees a space: its owner, or everybody who reads spaces of its entity. */
export const spaceType = vocabulary('space_type', {
  AREA: 'AREA',
  ESPACIO: 'SPACE',
});
export type SpaceType = (typeof spaceType.internalCodes)[number];

/** The subject of a sentence about a screen. */
export const behaviourClass = vocabulary('behaviour_class', {
  NAVEGACION: 'NAVIGATION',
  INTERACCION: 'INTERACTION',
  SEGUNDO_PLANO: 'BACKGROUND',
  DETENCION: 'STOP',
  RECUPERACION: 'RECOVERY',
});
export type BehaviourClass = (typeof behaviourClass.internalCodes)[number];

/** The type of the value of a parameter. */
export const parameterType = vocabulary('parameter_type', {
  TEXTO: 'TEXT',
  ENTERO: 'INTEGER',
  DECIMAL: 'DECIMAL',
  LOGICO: 'BOOLEAN',
  FECHA: 'DATE',
  OPCION: 'CHOICE',
  SECRETO: 'SECRET',
});
export type ParameterType = (typeof parameterType.internalCodes)[number];

/** The subject of a parameter. */
export const parameterCategory = vocabulary('parameter_category', {
  ORGANIZACION: 'ORGANIZATION',
  ASISTENTE: 'ASSISTANT',
  CONEXIONES: 'CONNECTIONS',
});
export type ParameterCategory = (typeof parameterCategory.internalCodes)[number];

/** The state of a process, which people and programs work on. */
export const processStatus = vocabulary('process_status', {
  ABIERTO: 'OPEN',
  EN_CURSO: 'IN_PROGRESS',
  EN_ESPERA: 'WAITING',
  TERMINADO: 'DONE',
  CANCELADO: 'CANCELLED',
});
export type ProcessStatus = (typeof processStatus.internalCodes)[number];

/** How urgent a process is, least first. */
export const processPriority = vocabulary('process_priority', {
  BAJA: 'LOW',
  NORMAL: 'NORMAL',
  ALTA: 'HIGH',
  URGENTE: 'URGENT',
});
export type ProcessPriority = (typeof processPriority.internalCodes)[number];

/** What a process came from: a definition of the group, help, or work of the program that needs a person. */
export const processType = vocabulary('process_type', {
  GRUPO: 'GROUP',
  SOPORTE: 'SUPPORT',
  INGESTA: 'INGESTION',
  AUDITORIA: 'AUDIT',
  CUOTA: 'QUOTA',
});
export type ProcessType = (typeof processType.internalCodes)[number];

/** What starts a process of a definition. */
export const processTrigger = vocabulary('process_trigger', {
  A_MANO: 'NONE',
  DOCUMENTO_CLASIFICADO: 'DOCUMENT_CLASSIFIED',
  CALENDARIO: 'SCHEDULE',
});
export type ProcessTrigger = (typeof processTrigger.internalCodes)[number];

/** How often a calendar starts a process. */
export const processPeriod = vocabulary('process_period', {
  DIA: 'DAY',
  SEMANA: 'WEEK',
  MES: 'MONTH',
});
export type ProcessPeriod = (typeof processPeriod.internalCodes)[number];

/** The state of one task of a process. */
export const processTaskStatus = vocabulary('process_task_status', {
  PENDIENTE: 'PENDING',
  HECHA: 'DONE',
  OMITIDA: 'SKIPPED',
});
export type ProcessTaskStatus = (typeof processTaskStatus.internalCodes)[number];
