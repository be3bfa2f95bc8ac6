import type { RouteDescription } from '@acervo/platform-http';
import { session } from '../examples';

export const showsSession: RouteDescription = {
  summary: 'Show the caller and its focus',
  description:
    'Group, user, role and entities of the credential, with the entity and the area that it is focused on. `focus_is_stale` says that the saved area is no longer permitted.',
  example: { answer: session },
};

export const focusesOnEntity: RouteDescription = {
  summary: 'Focus on an entity, or release the focus',
  description:
    'Requests of this credential see the data of the named entity alone until the focus is released with null. The focus is stored for the key. A key that is bound to one entity cannot change it.',
  example: { request: { entity_code: 'E1' }, answer: { ...session, active_entity: 'E1' } },
  errors: ['NOT_FOUND'],
};

export const focusesOnArea: RouteDescription = {
  summary: 'Focus on an area and its entity, or release the area',
  description:
    'Requests of this credential see the folders of the named area alone. Null releases the area and keeps the entity. The focus is stored for the key.',
  example: {
    request: { area_code: 'A10000' },
    answer: {
      ...session,
      active_entity: 'E1',
      active_area: 'A10000',
      effective_area: 'A10000',
      area_focus_is_explicit: true,
    },
  },
  errors: ['NOT_FOUND'],
};
