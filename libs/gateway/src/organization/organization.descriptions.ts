import type { RouteDescription } from '@acervo/platform-http';

const profile = {
  group: { code: 'G1', name: 'Acervo', description: 'Una cooperativa de regantes.', system_prompt: '' },
  entity: { code: 'E1', name: 'Acervo', description: 'Una almazara.', system_prompt: '' },
  missing: ['group.system_prompt', 'entity.system_prompt'],
};

export const showsOrganization: RouteDescription = {
  summary: 'Show what the group and an entity say about themselves, and what is missing',
  description:
    'The descriptions of the group and of one entity: the named one, else the entity in focus; `entity` is null for a caller without one. Administrators see the system prompts, which are null for others. `missing` lists the texts that are empty, of those that the caller sees.',
  example: { answer: profile },
  errors: ['NOT_FOUND'],
};

export const writesOrganization: RouteDescription = {
  summary: 'Write what the group and an entity say about themselves; what is not sent stays',
  description:
    'Stores the texts of the request and leaves the others unchanged. `applied` lists the texts that were stored.',
  example: {
    request: { entity_description: 'Una almazara.' },
    answer: { ...profile, applied: ['entity.description'] },
  },
  errors: ['NOT_FOUND'],
};

export const draftsOrganization: RouteDescription = {
  summary: 'Draft what the group and an entity could say about themselves; nothing is saved',
  description:
    'Assembles the four texts from names, folders, types and languages of the documents, and from `source_text` where it is given. `notice` says what they are made of; PUT saves what you keep of them.',
  example: {
    request: { source_text: 'Somos una cooperativa de regantes.' },
    answer: {
      generated: false,
      group: profile.group,
      entity: profile.entity,
      notice:
        'The texts are assembled from names, folders, types and languages of the documents, and from the given text. Nothing was saved.',
    },
  },
  errors: ['NOT_FOUND'],
};
