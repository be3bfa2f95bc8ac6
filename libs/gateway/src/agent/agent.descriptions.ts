import type { RouteDescription } from '@acervo/platform-http';

const layers = [
  {
    code: 'PRODUCT',
    name: 'user_chat, version 1',
    sha256: '1d8cc75cb1f1bc81b008f1a6ba3f18b8e03e065f27e34252fc23f3f23ee5bcd8',
  },
  {
    code: 'GROUP',
    name: 'Acervo',
    sha256: '96cc1a77bd45417841bbc02dcb1e07e7747aeca36c261ccb38cd5c653a2170d2',
  },
];

export const showsContext: RouteDescription = {
  summary: 'Show what an agent needs to act for the caller',
  description:
    'Instructions for the model, whom the agent acts for, the tools that this identity reaches under the profile, and limits that the agent should keep. `system_prompt_hash` is the SHA-256 of `[[code, sha256], …]` of the layers as JSON without spaces.',
  example: {
    parameters: { function_profile: 'user_chat' },
    answer: {
      function_profile: 'user_chat',
      system_prompt: 'You answer questions from the documents of an organisation.\n\nTrata de usted a los socios.',
      system_prompt_hash: 'cba39f7766e7c014fa611e14ee2d9652c8d7720622a3a224735fe768a337da07',
      layers,
      identity: {
        user_alias: 'Administrador',
        group: 'G1',
        entity: null,
        area: null,
        active_area: null,
        effective_area: null,
        authorized_area_root: null,
        area_focus_is_explicit: false,
        profile: 'ADMINISTRATOR',
      },
      tools: [
        {
          operation: 'documents.get',
          public_name: 'get_document',
          input_schema: {
            description: 'Show one document: its state, its place and what skills found in it.',
            type: 'object',
            properties: { document_code: { type: 'string', maxLength: 120 } },
            required: ['document_code'],
            additionalProperties: false,
          },
          read_only: true,
        },
      ],
      limits: { max_iterations: 8, max_retrieval_calls: 6, timeout_seconds: 60 },
      schema_version: 1,
    },
  },
};

export const callsTool: RouteDescription = {
  summary: 'Call a tool of the agent context',
  description:
    'Answers the result of the tool, at most 64,000 bytes: longer lists lose items from their end, and `truncated` and `omitted` say so. Rights, input and audit are those of the operation behind the tool; a tool that the context does not list is not found. A tool that needs a confirmation answers a preview until it gets `confirm` and the `preview_token`; in a group with AGENT_CONFIRMS off, keys that confirm are refused with 403.',
  example: {
    parameters: { public_name: 'get_usage' },
    request: { arguments: {}, function_profile: 'user_chat' },
    answer: {
      plan_code: 'FREE-LOCAL',
      period_start: '2026-11-01',
      period_end: '2026-11-30',
      quotas: [],
    },
  },
  errors: ['QUOTA_EXCEEDED'],
};
