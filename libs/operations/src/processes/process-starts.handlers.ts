import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  filterVisibleDocuments,
  listStartableProcesses,
  NotFound,
  type Process,
  type ProcessStart,
  type StartableProcesses,
  startProcess,
} from '@acervo/contracts';
import { Calls, Handles, type WriteContext } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { DefinitionStore } from './definition.store';
import { HandStart } from './hand-start';
import { ProcessRecords } from './process-records';
import { ProcessStore } from './process.store';

/** Starts processes that agents ask for. */
@Injectable()
export class ProcessStartsHandlers {
  constructor(
    private readonly calls: Calls,
    private readonly database: Database,
    private readonly definitions: DefinitionStore,
    private readonly starts: HandStart,
    private readonly processes: ProcessStore,
    private readonly records: ProcessRecords,
  ) {}

  @Handles(listStartableProcesses)
  list(scope: Scope): Promise<StartableProcesses> {
    return this.database.read(scope, async (tx) => ({ processes: await this.definitions.startable(tx) }));
  }

  /** @throws NotFound for a document that the caller does not see */
  @Handles(startProcess)
  async start(scope: Scope, { processCode, documentCode }: ProcessStart, context: WriteContext): Promise<Process> {
    if (documentCode !== undefined) await this.assertSeen(scope, documentCode);
    const row = await context.write(async (tx) => {
      const code = await this.starts.start(tx, scope, processCode, randomUUID(), documentCode);
      return this.processes.seen(tx, scope, code);
    });
    return this.records.one(scope, row);
  }

  private async assertSeen(scope: Scope, code: string): Promise<void> {
    const { codes } = await this.calls.send(filterVisibleDocuments, scope, { codes: [code] });
    if (codes.length === 0) throw new NotFound();
  }
}
