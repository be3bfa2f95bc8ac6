import type { FinishReason, TokenUsage } from './chat-model';
import type { ChatFailureReason } from './chat.errors';

export const CHAT_OUTCOMES = [
  'OK',
  'ABORTED',
  'NOT_CONFIGURED',
  'MODEL',
  'PLAN',
  'QUOTA',
  'KEY',
  'UNREACHABLE',
  'REFUSED',
  'UNUSABLE',
] as const satisfies readonly ('OK' | 'ABORTED' | ChatFailureReason)[];

/** How a request to a chat model ended, with all its tries. */
export interface RequestEnd {
  readonly outcome: (typeof CHAT_OUTCOMES)[number];
  /** Why the answer ended; null without a whole answer. */
  readonly finish: FinishReason | null;
  /** That of a whole answer, or as far as it is known; null where the model worked on nothing. */
  readonly usage: TokenUsage | null;
}

/** One request to a chat model with all its tries. */
export interface ObservedRequest extends RequestEnd {
  readonly model: string;
  readonly seconds: number;
}

/** Called once after each request. */
export type ChatObserver = (request: ObservedRequest) => void;
