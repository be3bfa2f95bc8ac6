import { Injectable } from '@nestjs/common';
import { DomainError } from '@acervo/contracts';
import { Logger } from '@acervo/platform-observability';
import { Peppers } from '../keys/key-hash';

/** Who signs in, and the network address of the request. */
export interface SignIn {
  readonly step: 'password' | 'second_factor';
  readonly account: string;
  readonly address: string;
}

/**
 * Writes a line of the log for each refused or failed sign-in. Account and address are keyed hashes: lines of one
 * account or address can be counted, and no line names either.
 */
@Injectable()
export class SignInLog {
  constructor(
    private readonly logger: Logger,
    private readonly peppers: Peppers,
  ) {}

  async watch<T>(signIn: SignIn, attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      this.logger.warn(this.line(signIn, error), 'sign-in refused or failed');
      throw error;
    }
  }

  private line({ step, account, address }: SignIn, error: unknown): object {
    const reason = error instanceof DomainError ? error.code : 'INTERNAL_ERROR';
    return {
      ...{ security: 'sign_in', step, outcome: reason === 'INTERNAL_ERROR' ? 'FAILED' : 'REFUSED', reason },
      account: this.hashed('account', account.toLowerCase()),
      address: this.hashed('address', address),
    };
  }

  private hashed(kind: string, value: string): string {
    return this.peppers.hash(`sign-in ${kind} ${value}`).toString('base64url').slice(0, 22);
  }
}
