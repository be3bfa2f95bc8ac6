import { Injectable } from '@nestjs/common';
import { verifyCredential } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { type Authentication, Authenticator } from '@acervo/platform-http';
import { anonymous, Scope } from '@acervo/rbac';
import { BoundedRequests } from './modules/limits.module';

/** Asks auth about each credential, on each request: nothing is kept, so every change acts at once. */
@Injectable()
export class CallAuthenticator extends Authenticator {
  constructor(
    private readonly calls: Calls,
    private readonly bounded: BoundedRequests,
  ) {
    super();
  }

  override async authenticate({ address, ...credential }: Authentication): Promise<Scope> {
    const { claims, token } = await this.bounded.verify(address, () =>
      this.calls.send(verifyCredential, anonymous, credential),
    );
    return new Scope(claims, token);
  }
}
