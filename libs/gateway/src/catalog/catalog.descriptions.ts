import type { RouteDescription } from '@acervo/platform-http';

export const listsCatalog: RouteDescription = {
  summary: 'List the functions and skills that the caller may name',
  description: 'The codes of screens and skills that the role of the caller reaches, of one type or of both.',
  example: {
    parameters: { type: 'FUNCTIONS' },
    answer: {
      functions: [
        {
          code: 'DOCUMENTS',
          name: 'Documentos',
          alias: 'documents',
          description: 'Consulta los documentos que el usuario puede ver.',
        },
      ],
      skills: [],
      total_functions: 1,
      total_skills: 0,
    },
  },
};

export const listsDocumentTypes: RouteDescription = {
  summary: 'List the document types of the group and of the entities in scope',
  description:
    'Codes for `document_types` of the search filter. A type includes the types below it, which name it as `parent_code`.',
  example: {
    answer: { document_types: [{ code: 'ACTA', name: 'Acta de reunión', parent_code: null }] },
  },
  errors: ['NOT_FOUND'],
};

export const listsCharacteristics: RouteDescription = {
  summary: 'List the features that documents may have',
  description:
    'Features of both kinds: the codes of ATTRIBUTE features go into `attributes` of the search filter, those of CHARACTERISTIC features into `characteristics`.',
  example: {
    answer: { characteristics: [{ category_code: 'CAMPAIGN', code: 'CAMPAIGN_2025', kind: 'CHARACTERISTIC' }] },
  },
};
