import { Injectable } from '@nestjs/common';
import { RateLimited } from '@acervo/contracts';
import { Rates } from '@acervo/platform-counters';
import type { Scope } from '@acervo/rbac';

/** Requests a minute of one credential, over all processes. They may come at once. */
const PER_MINUTE = { conversation: 20, question: 30 } as const;
const RETRY_AFTER_SECONDS = 60;

/** Limits the conversations that a credential opens by `/chat`, and its questions there. */
@Injectable()
export class ChatLimits {
  constructor(private readonly rates: Rates) {}

  /** @throws RateLimited, and any error when it cannot count */
  async admit({ groupId, credentialId }: Scope, what: keyof typeof PER_MINUTE): Promise<void> {
    const perMinute = PER_MINUTE[what];
    const counter = { name: `${what}:${groupId}:${credentialId}`, rate: { perMinute, burst: perMinute } };
    if (!(await this.rates.admit([counter])).admitted) throw new RateLimited(RETRY_AFTER_SECONDS);
  }
}
