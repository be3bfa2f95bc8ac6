import { Injectable } from '@nestjs/common';
import { renewScope } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { anonymous, Scope } from '@acervo/rbac';

/** Renews scopes: a scope keeps the state of its verification. */
@Injectable()
export class ScopeRenewal {
  constructor(private readonly calls: Calls) {}

  /** The current scope of the same credential. @throws Unauthorized for a credential that no longer exists */
  async again({ token }: Scope): Promise<Scope> {
    const verified = await this.calls.send(renewScope, anonymous, { token });
    return new Scope(verified.claims, verified.token);
  }
}
