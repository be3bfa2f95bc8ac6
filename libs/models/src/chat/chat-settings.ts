/** The settings of a service that asks a chat model, as its configuration class reads them. */
export interface ChatSettings {
  readonly chatUrl: string | null;
  readonly chatModel: string | null;
  readonly chatModels: string;
  readonly chatToolModels: string;
  readonly chatKey: string | null;
  readonly chatConcurrency: number;
  readonly chatTokensPerMinute: number;
}

/** An endpoint that speaks the OpenAI chat API. */
export interface ChatEndpoint {
  /** Base of the API, with its `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** The default first. */
  readonly models: readonly string[];
  /** Those of them that call tools. */
  readonly toolModels: readonly string[];
  readonly concurrency: number;
  readonly tokensPerMinute: number;
}

/** The base of an API, given its base with or without `/v1`, or the address of its completions. */
export const chatBaseOf = (url: string): string => {
  const base = url.replace(/\/$/, '').replace(/\/chat\/completions$/, '');
  return /\/v\d+$/.test(base) ? base : `${base}/v1`;
};

const namesIn = (list: string): readonly string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/**
 * The endpoint that a configuration names; null where it names none.
 * @throws where only one of address and model is set, or a model with tools is not in the list; the message names the
 * setting
 */
export const describeChat = (settings: ChatSettings): ChatEndpoint | null => {
  const { chatUrl, chatModel } = settings;
  if (chatUrl === null && chatModel === null) return null;
  if (chatUrl === null || chatModel === null)
    throw new Error('A chat model is an endpoint: set both ACERVO_CHAT_URL and ACERVO_CHAT_MODEL.');
  const models = [...new Set([chatModel, ...namesIn(settings.chatModels)])];
  const toolModels = namesIn(settings.chatToolModels);
  const unknown = toolModels.find((name) => !models.includes(name));
  if (unknown !== undefined)
    throw new Error(`ACERVO_CHAT_TOOL_MODELS names ${unknown}; add it to ACERVO_CHAT_MODELS, or leave it out.`);
  return {
    baseUrl: chatBaseOf(chatUrl),
    apiKey: settings.chatKey,
    ...{ models, toolModels },
    concurrency: settings.chatConcurrency,
    tokensPerMinute: settings.chatTokensPerMinute,
  };
};
