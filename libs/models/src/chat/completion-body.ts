import type { OpenAI } from 'openai';
import type { ChatMessage, ChatRequest } from './chat-model';

type Body = Omit<OpenAI.ChatCompletionCreateParams, 'stream'>;

const messageOf = (message: ChatMessage): OpenAI.ChatCompletionMessageParam => {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  const calls = (message.toolCalls ?? []).map(({ id, name, input }) => ({
    ...{ id, type: 'function' as const },
    function: { name, arguments: input },
  }));
  return { role: 'assistant', content: message.content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
};

/** The body of a request in the OpenAI chat API. */
export const completionBody = ({ messages, tools = [], answer, maxTokens }: ChatRequest, model: string): Body => ({
  model,
  messages: messages.map(messageOf),
  max_completion_tokens: maxTokens,
  ...(tools.length > 0
    ? {
        tools: tools.map(({ name, description, parameters }) => ({
          type: 'function' as const,
          function: { name, description, parameters: { ...parameters } },
        })),
      }
    : {}),
  ...(answer === undefined
    ? {}
    : {
        response_format: {
          type: 'json_schema' as const,
          json_schema: { name: answer.name, schema: { ...answer.schema }, strict: true },
        },
      }),
});
