/**
 * Why a chat model gave no answer.
 * NOT_CONFIGURED no model is named; MODEL the request names another one; PLAN the plan of the group has no tokens left; QUOTA the provider or the limit of the group
 * counts too many requests or tokens; KEY the provider refuses the key; UNREACHABLE no answer in time, or none now;
 * REFUSED the provider refuses the request; UNUSABLE the answer has another form than requested.
 */
export type ChatFailureReason =
  'NOT_CONFIGURED' | 'MODEL' | 'PLAN' | 'QUOTA' | 'KEY' | 'UNREACHABLE' | 'REFUSED' | 'UNUSABLE';

const ACTIONS: Readonly<Record<ChatFailureReason, string>> = {
  NOT_CONFIGURED: 'No chat model is configured; set ACERVO_CHAT_URL and ACERVO_CHAT_MODEL',
  MODEL: 'The chat model is not in the list of the operator; name one of ACERVO_CHAT_MODELS',
  PLAN: 'The plan of the group has no tokens of chat models left; wait for its next period, or give the group another plan',
  QUOTA:
    'The limit of the chat model is used up for now; wait, or raise the limit at the provider or in the configuration',
  KEY: 'The chat model refuses the key; check ACERVO_CHAT_KEY',
  UNREACHABLE: 'The chat model does not answer now; check that it runs and is reachable',
  REFUSED: 'The chat model refuses the request; check the name of the model and the length of the text',
  UNUSABLE: 'The answer of the chat model cannot be used; repeat the request or choose another model',
};

/** A request to a chat model without an answer. Its message contains neither text nor key. */
export class ChatModelFailure extends Error {
  override readonly name = 'ChatModelFailure';

  constructor(
    readonly reason: ChatFailureReason,
    detail: string | null = null,
    /** The wait that the provider requested; null if it named none. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(`${ACTIONS[reason]}${detail === null ? '' : ` (${detail})`}.`);
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return this.reason === 'QUOTA' || this.reason === 'UNREACHABLE';
  }
}

/** The caller ended the request. */
export class ChatAborted extends Error {
  override readonly name = 'ChatAborted';

  constructor() {
    super('The caller ended the request to the chat model; no answer was used.');
  }
}
