import { Injectable } from '@nestjs/common';
import { verifyCredential } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { type Authentication, Authenticator } from '@acervo/platform-http';
import { anonymous, Scope } from '@acervo/rbac';

/** Asks auth about each credential, on each request: nothing is kept, so every change acts at once. */
@Injectable()
export class CallAuthenticator extends Authenticator {
  constructor(private readonly calls: Calls) {
    super();
  }

  override async authenticate(credential: Authentication): Promise<Scope> {
    const { claims, token } = await this.calls.send(verifyCredential, anonymous, credential);
    return new Scope(claims, token);
  }
}
