import type { ModelWaitReason } from '@acervo/contracts';
import { ChatModelFailure, type ChatFailureReason } from '@acervo/models/chat';
import type { Tasks } from '@acervo/platform-queue';
import { AnswerWithheld } from './model-reading';

/** Why a run has no result, as the queue shows it. */
export type Unmade = Parameters<Tasks['fail']>[2];

const MINUTE_MS = 60_000;

/** Reasons for which a run waits until the model works again; `queue.resolve_llm_alerts` ends the wait. */
export const WAITING_REASONS = {
  QUOTA: 'ModelQuota',
  KEY: 'ModelKey',
  UNREACHABLE: 'ModelUnreachable',
  REFUSED: 'ModelRefused',
} as const satisfies Readonly<Record<ModelWaitReason, string>>;

/** Time until a waiting run is tried by itself. A key and a refusal need a change of the configuration. */
const WAITS: Readonly<Record<ModelWaitReason, number>> = {
  ...{ QUOTA: MINUTE_MS, UNREACHABLE: MINUTE_MS },
  ...{ KEY: 30 * MINUTE_MS, REFUSED: 60 * MINUTE_MS },
};

/** Work that no user waits for leaves its slot to documents; what it has read is kept. */
export const DOCUMENTS_FIRST: Unmade = { reason: 'DocumentsFirst', retryInMs: 15_000, counts: false };

/** Without them nothing says whether a model may read a text, so the tries do not count. */
export const AWAITS_PARAMETERS: Unmade = { reason: 'RunAwaitsParameters', retryInMs: 30_000, counts: false };

/** Other work waits for the slot of work that no user waits for. */
export class OthersWait extends Error {
  constructor() {
    super('Documents wait for the slot of this work.');
    this.name = 'OthersWait';
  }
}

/** The plan has no tokens left. Calls that run count their most tokens, so their ends may give some back soon. */
const PLAN: Unmade = { reason: WAITING_REASONS.QUOTA, retryInMs: 5 * MINUTE_MS, counts: false };

const ENDS: Readonly<Record<Exclude<ChatFailureReason, ModelWaitReason | 'PLAN'>, string>> = {
  ...{ NOT_CONFIGURED: 'ModelNotConfigured', MODEL: 'ModelNotConfigured' },
  UNUSABLE: 'ModelUnusable',
};

const isWaiting = (reason: ChatFailureReason): reason is ModelWaitReason => Object.hasOwn(WAITING_REASONS, reason);

/**
 * What becomes of a run whose model failed: it waits, uncounted, or ends with the reason.
 * @throws what is no failure of a model
 */
export const unmadeBy = (error: unknown): Unmade => {
  if (error instanceof OthersWait) return DOCUMENTS_FIRST;
  if (error instanceof AnswerWithheld) return { reason: 'ModelWithheld', retryInMs: null };
  if (!(error instanceof ChatModelFailure)) throw error;
  const { reason, retryAfterMs } = error;
  if (reason === 'PLAN') return PLAN;
  if (!isWaiting(reason)) return { reason: ENDS[reason], retryInMs: null };
  const retryInMs = Math.max(WAITS[reason], retryAfterMs ?? 0);
  return { reason: WAITING_REASONS[reason], retryInMs, counts: false };
};
