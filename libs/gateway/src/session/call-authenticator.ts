import { verifyCredential } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { Authenticator } from '@acervo/platform-http';
import { anonymous, Scope } from '@acervo/rbac';

/** Asks auth-service about each credential, on each request: nothing is kept, so every change acts at once. */
export class CallAuthenticator extends Authenticator {
  constructor(private readonly calls: Calls) {
    super();
  }

  override async authenticate(bearer: string): Promise<Scope> {
    const { claims, token } = await this.calls.send(verifyCredential, anonymous, { bearer });
    return new Scope(claims, token);
  }
}
