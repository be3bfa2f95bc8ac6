/** The settings of a service that asks a chat model, as its configuration class reads them. */
export interface ChatSettings {
  readonly chatUrl: string | null;
  readonly chatModel: string | null;
  readonly chatModels: string;
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
  readonly concurrency: number;
  readonly tokensPerMinute: number;
}

/** The base of an API, given its base with or without `/v1`, or the address of its completions. */
export const chatBaseOf = (url: string): string => {
  const base = url.replace(/\/$/, '').replace(/\/chat\/completions$/, '');
  return /\/v\d+$/.test(base) ? base : `${base}/v1`;
};

/**
 * The endpoint that a configuration names; null where it names none.
 * @throws where only one of address and model is set; the message names the missing setting
 */
export const describeChat = (settings: ChatSettings): ChatEndpoint | null => {
  const { chatUrl, chatModel } = settings;
  if (chatUrl === null && chatModel === null) return null;
  if (chatUrl === null || chatModel === null)
    throw new Error('A chat model is an endpoint: set both ACERVO_CHAT_URL and ACERVO_CHAT_MODEL.');
  const others = settings.chatModels.split(',').map((name) => name.trim());
  return {
    baseUrl: chatBaseOf(chatUrl),
    apiKey: settings.chatKey,
    models: [...new Set([chatModel, ...others])].filter((name) => name !== ''),
    concurrency: settings.chatConcurrency,
    tokensPerMinute: settings.chatTokensPerMinute,
  };
};
