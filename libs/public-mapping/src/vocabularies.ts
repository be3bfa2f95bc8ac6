import { vocabulary } from './vocabulary';

/** Where a document stands between being seen and being searchable. */
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

/** Where the original of a document lives. */
export const documentOrigin = vocabulary('document_origin', {
  CARPETA: 'FOLDER',
  WEB: 'WEB',
  PUBLICO: 'PUBLIC',
});
export type DocumentOrigin = (typeof documentOrigin.internalCodes)[number];

/** What a sentence about a screen describes. */
export const behaviourClass = vocabulary('behaviour_class', {
  NAVEGACION: 'NAVIGATION',
  INTERACCION: 'INTERACTION',
  SEGUNDO_PLANO: 'BACKGROUND',
  DETENCION: 'STOP',
  RECUPERACION: 'RECOVERY',
});
export type BehaviourClass = (typeof behaviourClass.internalCodes)[number];
