import { Setting } from '@acervo/platform-config';

const MODEL = {
  env: 'ACERVO_CHAT_MODEL',
  default: null,
  description: 'Name of the default model at the chat API',
};

/** What a service that asks no chat model knows of it: whether there is one. */
export class ChatModelConfig {
  @Setting(MODEL)
  readonly chatModel!: string | null;
}

/** Settings of a service that asks a chat model. Without an address no model is asked, and what needs one says so. */
export class ChatConfig {
  @Setting({
    env: 'ACERVO_CHAT_URL',
    default: null,
    description: 'Base of an OpenAI-compatible chat API; without it no chat model is asked and no text leaves',
  })
  readonly chatUrl!: string | null;
  @Setting(MODEL)
  readonly chatModel!: string | null;
  @Setting({
    env: 'ACERVO_CHAT_MODELS',
    default: '',
    description: 'Names of further models that may be chosen, separated by commas; others are refused',
  })
  readonly chatModels!: string;
  @Setting({
    env: 'ACERVO_CHAT_TOOL_MODELS',
    default: '',
    description:
      'Those of the models that call tools, separated by commas: they may look further while they answer a question',
  })
  readonly chatToolModels!: string;
  @Setting({ env: 'ACERVO_CHAT_KEY', default: null, secret: true, description: 'Key of that API' })
  readonly chatKey!: string | null;
  @Setting({
    env: 'ACERVO_CHAT_CONCURRENCY',
    default: 4,
    min: 1,
    max: 256,
    description: 'Requests to the chat model under way at a time; groups take turns',
  })
  readonly chatConcurrency!: number;
  @Setting({
    env: 'ACERVO_CHAT_TOKENS_PER_MINUTE',
    default: 200_000,
    min: 1_000,
    max: 1_000_000_000,
    description: 'Tokens that a program sends and receives in a minute for one group',
  })
  readonly chatTokensPerMinute!: number;
  @Setting({
    env: 'ACERVO_CHAT_CONTEXT_TOKENS',
    default: 16_000,
    min: 8_000,
    max: 10_000_000,
    description: 'Tokens of one request that every named model accepts, its answer included',
  })
  readonly chatContextTokens!: number;
}
