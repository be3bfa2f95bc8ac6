import { Injectable } from '@nestjs/common';
import { type CountedUser, type DependencyCount, servicesWithUserData, userDependents } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';

/** Counts what other services delete with a user or hand over, outside of transactions. */
@Injectable()
export class RemoteDependents {
  constructor(private readonly calls: Calls) {}

  /** @throws Unavailable where a service does not answer: a sum without it would be too small. */
  async count(scope: Scope, user: CountedUser): Promise<readonly DependencyCount[]> {
    const counted = await Promise.all(
      servicesWithUserData.map((service) => this.calls.send(userDependents[service], scope, user)),
    );
    return counted.flatMap(({ dependencies }) => dependencies);
  }
}
