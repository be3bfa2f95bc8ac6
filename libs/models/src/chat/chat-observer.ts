import type { TokenUsage } from './chat-model';
import type { ChatFailureReason } from './chat.errors';

export const CHAT_OUTCOMES = [
  'OK',
  'ABORTED',
  'NOT_CONFIGURED',
  'MODEL',
  'QUOTA',
  'KEY',
  'UNREACHABLE',
  'REFUSED',
  'UNUSABLE',
] as const satisfies readonly ('OK' | 'ABORTED' | ChatFailureReason)[];

/** One request to a chat model with all its tries. */
export interface ObservedRequest {
  readonly outcome: (typeof CHAT_OUTCOMES)[number];
  readonly seconds: number;
  /** Null without an answer. */
  readonly usage: TokenUsage | null;
}

/** Called once after each request. */
export type ChatObserver = (request: ObservedRequest) => void;
