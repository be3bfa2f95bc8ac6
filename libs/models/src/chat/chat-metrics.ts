import {
  declareCounter,
  declareGauge,
  declareSeconds,
  type MetricDeclaration,
  type Metrics,
} from '@acervo/platform-observability';
import type { ChatObserver } from './chat-observer';
import { OpenAiChatModel } from './openai-chat-model';
import type { ChatModel } from './chat-model';

const REQUESTS = declareSeconds(
  'chat_request_seconds',
  'Time that one request to the chat model took with its waits and retries, by outcome: OK, ABORTED, or why it failed',
  ['model', 'outcome'],
);
const TOKENS = declareCounter(
  'chat_tokens_total',
  'Tokens that requests to the chat model took, as far as they are known',
  ['model', 'direction'],
);
const WAITING = declareGauge(
  'chat_waiting',
  'Requests to the chat model that wait for their turn (with `ACERVO_CHAT_URL`)',
);
const PAUSED = declareGauge(
  'chat_paused',
  'Whether the chat model failed repeatedly and is not asked for a moment (its circuit is open): 1 or 0 (with `ACERVO_CHAT_URL`)',
);
/** Metrics of services that ask a chat model. */
export const chatMetrics: readonly MetricDeclaration[] = [REQUESTS, TOKENS, WAITING, PAUSED];

/** Reports each request to a chat model. */
export const chatRequestsIn = (metrics: Metrics): ChatObserver => {
  const seconds = metrics.seconds(REQUESTS);
  const tokens = metrics.counter(TOKENS);
  return ({ model, outcome, seconds: took, usage }) => {
    seconds.observe({ model, outcome }, took);
    if (usage === null) return;
    tokens.inc({ model, direction: 'in' }, usage.tokensIn);
    tokens.inc({ model, direction: 'out' }, usage.tokensOut);
  };
};

/** Publishes how busy the chat model is, as of each scrape. */
export const publishChatLoad = (metrics: Metrics, model: ChatModel): void => {
  if (!(model instanceof OpenAiChatModel)) return;
  metrics.gauge(WAITING, (gauge) => gauge.set(model.load.waiting));
  metrics.gauge(PAUSED, (gauge) => gauge.set(model.load.isPaused ? 1 : 0));
};
