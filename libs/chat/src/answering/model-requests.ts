import { chargedEntity } from '@acervo/contracts';
import { ChatModelFailure, type ChatRequest, type ComposedPrompt } from '@acervo/models/chat';
import type { Logger } from '@acervo/platform-observability';
import type { Scope } from '@acervo/rbac';

interface Asked extends Pick<ChatRequest, 'messages' | 'maxTokens' | 'timeoutMs' | 'tools'> {
  /** The code of what the model does. */
  readonly code: string;
  readonly prompt: ComposedPrompt;
}

/** A request to a chat model for a user, charged to the group and entity of the user. */
export const requestOf = (
  scope: Scope,
  model: string,
  { code, prompt, ...asked }: Asked,
  signal: AbortSignal | undefined,
): ChatRequest => ({
  ...asked,
  group: scope.groupId,
  purpose: { code, entityCode: chargedEntity(scope), layers: prompt.layers },
  model,
  ...(signal === undefined ? {} : { signal }),
});

/** Logs that the service goes on without its chat model; other errors are the caller's. */
export const reportFailure = (logger: Logger, error: unknown, model: string): void => {
  if (error instanceof ChatModelFailure)
    logger.warn({ reason: error.reason, model }, 'a chat model failed; the service goes on without it');
};
