import { Injectable } from '@nestjs/common';
import { readParameters } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { WorkScope } from '@acervo/rbac';
import { ProcessStore } from '../processes/process.store';

const DAYS = 'PROCESS_RETENTION_DAYS';
/** Processes of one transaction: no request waits long for the locks of a deletion. */
const BATCH = 50;

/** Deletes processes that were over longer ago than their group allows. */
@Injectable()
export class ProcessRetention {
  constructor(
    private readonly database: Database,
    private readonly processes: ProcessStore,
    private readonly calls: Calls,
  ) {}

  /** Returns how many processes were deleted. */
  async apply(scope: WorkScope): Promise<number> {
    const { values } = await this.calls.send(readParameters, scope, { parameterCodes: [DAYS] });
    const days = Number(values[0]?.value ?? 0);
    let total = 0;
    for (let deleted = days === 0 ? 0 : BATCH; deleted === BATCH; total += deleted)
      deleted = await this.database.write(scope, (tx) => this.processes.deleteOver(tx, days, BATCH));
    return total;
  }
}
