import { Injectable } from '@nestjs/common';
import { DomainError } from '@acervo/contracts';
import { Logger } from '@acervo/platform-observability';
import { Peppers } from '../secrets/peppers';

/** What a request asks of an account, as lines of the log name it. */
export interface SecurityEvent {
  readonly security: 'sign_in' | 'session' | 'factor' | 'password' | 'registration' | 'api_key';
  readonly step: string;
  /** Address of the account; absent where the request does not name it. */
  readonly account?: string | undefined;
  /** Network address of the request. */
  readonly address?: string | undefined;
}

/**
 * Writes a line of the log for each request about credentials, whether it succeeds, is refused or fails. Account and
 * address are keyed hashes: lines of one account or address can be counted, and no line names either.
 */
@Injectable()
export class SecurityLog {
  constructor(
    private readonly logger: Logger,
    private readonly peppers: Peppers,
  ) {}

  /** @param accountOf the account, where only the result names it */
  async watch<T>(
    event: SecurityEvent,
    attempt: () => Promise<T>,
    accountOf: (result: T) => string | undefined = () => event.account,
  ): Promise<T> {
    try {
      const result = await attempt();
      this.logger.info(this.line({ ...event, account: accountOf(result) }, { outcome: 'SUCCEEDED' }), 'security event');
      return result;
    } catch (error) {
      const what = event.security === 'sign_in' ? 'sign-in' : 'security event';
      this.logger.warn(this.line(event, this.refusal(error)), `${what} refused or failed`);
      throw error;
    }
  }

  private refusal(error: unknown): object {
    const reason = error instanceof DomainError ? error.code : 'INTERNAL_ERROR';
    return { outcome: reason === 'INTERNAL_ERROR' ? 'FAILED' : 'REFUSED', reason };
  }

  private line({ account, address, ...event }: SecurityEvent, outcome: object): object {
    return {
      ...event,
      ...outcome,
      account: account && this.hashed('account', account.toLowerCase()),
      address: address && this.hashed('address', address),
    };
  }

  private hashed(kind: string, value: string): string {
    return this.peppers.hash(`sign-in ${kind} ${value}`).toString('base64url').slice(0, 22);
  }
}
