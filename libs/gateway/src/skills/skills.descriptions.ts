import type { RouteDescription } from '@acervo/platform-http';

const skill = {
  code: 'KEY-DATES',
  name: 'Key dates',
  description: 'The dates of the document, each with the sentence that states it.',
  target: 'DOCUMENT',
  output_schema: { type: 'object' },
  requires_model: false,
  version: '1',
};
const parameters = { skill_code: skill.code };

export const listsSkills: RouteDescription = {
  summary: 'List the skills that may be run by name',
  description:
    'The same skills as in the catalog. Those with `requires_model` need a chat model; the others quote the documents without one.',
  example: { answer: { skills: [skill] } },
};

export const showsSkill: RouteDescription = {
  summary: 'Show a skill and the schema of its results',
  description: 'A skill that is not meant for callers is not found.',
  example: { parameters, answer: skill },
};

export const runsSkill: RouteDescription = {
  summary: 'Queue a skill over a document, or over each document of a space',
  description:
    'Give either `document_code` or `space_id`. `GET /v1/queue?process=SKILL` shows how far the run is; the detail of a document has its results in `skill_results`. A skill that needs a chat model is 409 where the group has none.',
  example: {
    parameters,
    request: { document_code: 'D10003' },
    answer: {
      run_id: '019abcde-0000-7000-8000-000000000001',
      skill_code: skill.code,
      status: 'PENDING',
      document_code: 'D10003',
      space_id: null,
      document_count: 1,
      created_at: '2026-11-26T02:56:00.040Z',
    },
  },
  errors: ['CONFLICT'],
};
