import { call } from '../calls';
import { ConversationLayer } from '../chat/conversations';
import { event } from '../events';
import { Choice, Code, Flag, Int, ListOf, Text, Uuid } from '../fields';

/**
 * How a call of a chat model ended, as its caller reports it. COMPLETED; LENGTH its tokens were used up; WITHHELD the
 * provider withheld the answer; CUT_OFF it broke off; ABORTED the caller left; UNREACHABLE no answer; QUOTA, KEY, REFUSED
 * the provider refused; UNUSABLE another form than requested.
 */
export const reportedOutcomes = [
  'COMPLETED',
  'LENGTH',
  'WITHHELD',
  'CUT_OFF',
  'ABORTED',
  'UNREACHABLE',
  'QUOTA',
  'KEY',
  'REFUSED',
  'UNUSABLE',
] as const;
export type ReportedOutcome = (typeof reportedOutcomes)[number];

/** Layers of one prompt, at most. */
const MOST_LAYERS = 20;
/** Tokens of one call in one direction, at most. */
export const MOST_TOKENS = 100_000_000;
/** One day. */
const LONGEST_MS = 86_400_000;

/** A call of a chat model that is about to be made; nothing of its text. */
export class ModelCall {
  @Uuid({ description: 'The call' }) readonly callId!: string;
  @Code({ names: 'entity', nullable: true, description: 'Entity that it is counted for; null without one' })
  readonly entityCode!: string | null;
  @Code({ description: 'What it is for: the code of a skill, or of a task of the product' }) readonly purpose!: string;
  @ListOf(() => ConversationLayer, { max: MOST_LAYERS, description: 'Layers of its prompt' })
  readonly layers!: readonly ConversationLayer[];
  @Text({ min: 1, max: 200, description: 'Model' }) readonly model!: string;
  @Int({ max: MOST_TOKENS, description: 'Tokens that it takes at most: of its prompt, estimated, and of its answer' })
  readonly mostTokens!: number;
  @Int({ max: LONGEST_MS, description: 'Milliseconds that it lasts at most' }) readonly timeoutMs!: number;
}

export class ModelCallAdmission {
  @Flag({ description: 'False where the plan of the group has no tokens left: the call is not made' })
  readonly isAdmitted!: boolean;
}

/**
 * Admits a call of a chat model, and records it. Its most tokens count until its end is known; without a report of it they
 * stay counted. Its row is its record; audit records, which are never deleted, would grow by every call and refusal.
 */
export const admitModelCall = call({
  code: 'usage.admit_model_call',
  owner: 'operations',
  effect: 'write',
  scope: 'work',
  callers: ['chat', 'ingestion'],
  audit: 'none',
  input: ModelCall,
  output: ModelCallAdmission,
});

export class ModelCallEnded {
  @Uuid({ description: 'The call' }) readonly callId!: string;
  @Choice(reportedOutcomes, { description: 'How it ended' }) readonly outcome!: ReportedOutcome;
  @Int({ max: MOST_TOKENS, description: 'Tokens of the prompt' }) readonly tokensIn!: number;
  @Int({ max: MOST_TOKENS, description: 'Tokens of the answer' }) readonly tokensOut!: number;
  @Int({ max: LONGEST_MS, description: 'Milliseconds that it took, with its waits and retries' })
  readonly milliseconds!: number;
}

/** An admitted call of a chat model ended. Every service may publish it. */
export const modelCallEnded = event({
  topic: 'model_call.ended.v1',
  producer: 'any',
  subscribers: ['operations'],
  payload: ModelCallEnded,
  key: ({ callId }) => callId,
});
