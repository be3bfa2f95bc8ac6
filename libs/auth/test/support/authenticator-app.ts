import { Secret, TOTP } from 'otpauth';
import { TotpClock } from '../../src/factors/totp';

const STEP_MS = 30_000;

/** An authenticator app beside a service whose clock of codes stands still: no code grows old while a test runs. */
export class AuthenticatorApp {
  private readonly now = Date.now();

  /** Stops the clock of codes. `jest.restoreAllMocks` starts it again. */
  stopClock(): void {
    jest.spyOn(TotpClock.prototype, 'now').mockReturnValue(this.now);
  }

  /** The code of a secret. @param steps from the current step */
  codeOf(secret: unknown, steps = 0): string {
    const timestamp = this.now + steps * STEP_MS;
    return new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate({ timestamp });
  }
}
