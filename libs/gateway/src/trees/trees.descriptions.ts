import type { RouteDescription } from '@acervo/platform-http';

export const listsAreas: RouteDescription = {
  summary: 'List the areas of an entity that the caller sees',
  description:
    'Pages of the tree of areas, by code: those below `parent_code`, or those whose name contains `query`. Send `next_cursor` back as `cursor` for the next page; null ends the list.',
  example: {
    parameters: { entity_code: 'E1', limit: 50 },
    answer: {
      areas: [{ code: 'A10000', name: 'Riego', parent_code: null, entity_code: 'E1', has_children: false }],
      next_cursor: null,
    },
  },
  errors: ['NOT_FOUND'],
};

export const listsLocations: RouteDescription = {
  summary: 'List the folders that the caller sees',
  description:
    'Pages of the tree of folders, by code: those below `parent_code`, or those whose name contains `query`. Send `next_cursor` back as `cursor` for the next page; null ends the list.',
  example: {
    parameters: { query: 'actas', limit: 50 },
    answer: {
      locations: [{ code: 'L10001', name: 'actas', parent_code: 'L10000', entity_code: 'E1', has_children: false }],
      next_cursor: null,
    },
  },
  errors: ['NOT_FOUND'],
};
