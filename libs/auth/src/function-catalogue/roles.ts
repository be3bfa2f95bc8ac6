import { type Screen, screens } from '@acervo/contracts';
import type { Profile } from '@acervo/public-mapping';
import { GROUP_ADMIN, SYSTEM, USER } from '../kernel/built-in-roles';

/** A role of the product, the same in every group. Ids are below 100; those that SYSTEM users add follow. */
export interface GlobalRoleSeed {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly profile: Profile;
  readonly functions: readonly Screen[];
}

export const globalRoles: readonly GlobalRoleSeed[] = [
  {
    ...GROUP_ADMIN,
    name: 'Administrador del grupo',
    description: 'Dirige su grupo: personas, permisos, carpetas, clasificación y proceso de documentos.',
    profile: 'ADMINISTRADOR',
    functions: screens,
  },
  {
    ...SYSTEM,
    name: 'Sistema',
    description: 'Opera la instalación entera: ve a todas las personas y actúa en cualquier grupo.',
    profile: 'SISTEMA',
    functions: screens,
  },
  {
    ...USER,
    name: 'Usuario',
    description: 'Consulta documentos, conversa con ellos, reúne espacios y atiende sus procesos.',
    profile: 'USUARIO',
    functions: ['CHAT-USER', 'DOCUMENTS', 'WORKSPACES', 'PROFILE_PROCESS', 'SESSION'],
  },
  {
    id: 4,
    code: 'USUARIO_FINAL',
    name: 'Usuario final',
    description: 'Hace preguntas sobre los documentos que alcanza y lee las respuestas con sus citas.',
    profile: 'USUARIO',
    functions: ['CHAT-FINAL-USER', 'SESSION'],
  },
];
