import { renewScope, verifyCredential } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { Authenticator } from '@acervo/platform-http';
import { anonymous, Scope } from '@acervo/rbac';

/** Verifies what stands behind Bearer on auth-service's own routes, through the call that all services use. */
export class SessionReader extends Authenticator {
  constructor(private readonly calls: Calls) {
    super();
  }

  override async authenticate(bearer: string, owingFactor: boolean): Promise<Scope> {
    const { claims, token } = await this.calls.send(verifyCredential, anonymous, { bearer, owingFactor });
    return new Scope(claims, token);
  }

  /** The scope of the same credential as it is now. */
  async again({ token }: Scope): Promise<Scope> {
    const verified = await this.calls.send(renewScope, anonymous, { token });
    return new Scope(verified.claims, verified.token);
  }
}
