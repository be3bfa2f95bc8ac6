import type { RouteDescription } from '@acervo/platform-http';

const deletion = {
  code: 'documents.delete',
  kind: 'write_confirm',
  confirm_required: true,
  functions: ['DOCUMENTS', 'PROCESS_DOCUMENTS'],
};

export const listsOperations: RouteDescription = {
  summary: 'List the operations that the caller reaches',
  description:
    'Codes and kinds of the operations that the role of the caller may execute. An operation that is not listed does not exist for this caller.',
  example: { answer: { operations: [deletion], total: 1 } },
};

export const describesOperation: RouteDescription = {
  summary: 'Show one operation with the schemas of its input and of its result',
  description:
    'The input is one flat JSON object with path, query and body fields together; unknown fields are refused.',
  example: {
    parameters: { code: 'documents.delete' },
    answer: {
      ...deletion,
      input_schema: {
        type: 'object',
        properties: { document_code: { type: 'string', maxLength: 120 } },
        required: ['document_code'],
        additionalProperties: false,
      },
      output_schema: {
        type: 'object',
        properties: { code: { type: 'string', maxLength: 120 }, status: { type: 'string', maxLength: 40 } },
        required: ['code', 'status'],
        additionalProperties: false,
      },
    },
  },
};

export const executesOperation: RouteDescription = {
  summary: 'Run an operation; one that needs a confirmation is previewed without it',
  description:
    'A `write_confirm` operation without `confirm` changes nothing and answers a `preview` with its input, the counts of what it would affect and a `preview_token`. Send both `confirm` and the token: the execution is refused with 409 where the counts have changed. Writes are audited.',
  example: {
    parameters: { code: 'documents.delete' },
    request: { input: { document_code: 'D10003' } },
    answer: {
      code: 'documents.delete',
      kind: 'write_confirm',
      executed: false,
      confirm_required: true,
      preview: {
        input: { document_code: 'D10003' },
        effect: { documents: 1, chunks: 1, waiting: 0 },
        preview_token: '1.1795662406817.R3AxW3aQPloWkkY0JHXe2o2300mGyUNtv5U5dYAYDMw',
      },
    },
  },
};
