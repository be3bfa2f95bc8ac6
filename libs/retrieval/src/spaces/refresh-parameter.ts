import { Injectable } from '@nestjs/common';
import { readParameters } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';

const HOURS = 'SPACES_REFRESH_HOURS';

/** The schedule of a group, as auth stores it. */
@Injectable()
export class RefreshParameter {
  constructor(private readonly calls: Calls) {}

  /** Hours between refreshes; 0 for never. */
  async hours(scope: WorkScope): Promise<number> {
    const { values } = await this.calls.send(readParameters, scope, { parameterCodes: [HOURS] });
    return Number(values[0]?.value ?? 0);
  }
}
