import type { RouteDescription } from '@acervo/platform-http';

const conversation = {
  conversation_id: 12,
  function_code: 'CHAT-USER',
  mode: 'default',
  title: '¿Cuándo vence el contrato de riego?',
  message_count: 2,
  created_at: '2026-11-26T02:56:00.040Z',
  updated_at: '2026-11-26T02:56:01.310Z',
};

export const asks: RouteDescription = {
  summary: 'Ask a question and get one answer with its sources',
  description:
    'The answer is drawn from documents that the caller sees: each sentence cites one, and the sources stand at its end. Where the documents say nothing of it, the answer says so. With `mode` `help` it answers about the service itself and searches no documents. A question in `default` mode counts as one retrieval. `conversation_id` continues an own conversation.',
  example: {
    request: { question: '¿Cuándo vence el contrato de riego?' },
    answer: {
      answer:
        'El contrato vence el 31 de diciembre de 2026. [1]\n\nFuentes:\n[1] contrato-riego.pdf, p. 2: https://acervo.example/app/documents/D10003',
      conversation_id: 12,
      message_id: 24,
      user_message_id: 23,
    },
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'QUOTA_EXCEEDED'],
};

export const listsConversations: RouteDescription = {
  summary: 'List the own conversations',
  description: 'Conversations of the caller alone, the latest answer first.',
  example: { answer: { conversations: [conversation], total: 1 } },
};

export const deletesConversation: RouteDescription = {
  summary: 'Delete a conversation with its messages',
  description: 'A conversation of another user is not found, as one that does not exist.',
  example: { parameters: { conversation_id: 12 }, answer: { deleted: true, conversation_id: 12 } },
};
