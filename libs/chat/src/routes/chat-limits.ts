import { Injectable } from '@nestjs/common';
import { RateLimited, Unavailable } from '@acervo/contracts';
import { Counters } from '@acervo/platform-counters';
import { Logger } from '@acervo/platform-observability';
import type { Scope } from '@acervo/rbac';

/** Requests of one credential within any minute, over all processes. */
const MOST = { conversation: 20, question: 30 } as const;
const SECONDS = 60;

/** Limits the conversations that a credential opens by `/chat`, and its questions there. */
@Injectable()
export class ChatLimits {
  constructor(
    private readonly counters: Counters,
    private readonly logger: Logger,
  ) {}

  /** @throws RateLimited, and Unavailable when it cannot count */
  async admit({ groupId, credentialId }: Scope, what: keyof typeof MOST): Promise<void> {
    const isAdmitted = await this.counted(`${what}:${groupId}:${credentialId}`, MOST[what]);
    if (!isAdmitted) throw new RateLimited(SECONDS);
  }

  private async counted(name: string, most: number): Promise<boolean> {
    try {
      return (await this.counters.take(name, { most, seconds: SECONDS })).admitted;
    } catch (error) {
      this.logger.error({ error }, 'a request of chat could not be counted, and is refused');
      throw new Unavailable('Requests cannot be counted now; retry later.');
    }
  }
}
