import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { DefinitionStore } from './definition.store';
import { ProcessRefused } from './processes.errors';
import { ProcessStarter } from './process-starter';

/** Starts definitions for people and agents. */
@Injectable()
export class HandStart {
  constructor(
    private readonly definitions: DefinitionStore,
    private readonly starter: ProcessStarter,
  ) {}

  /**
   * Starts a process for the caller, and answers its code.
   * @param request what the process is started for; the same one starts no second process
   * @throws NotFound for an absent definition; ProcessRefused for one that documents or the calendar start
   */
  async start(
    tx: Transaction,
    { userId, userCode, activeEntity }: Scope,
    definitionCode: string,
    request: string,
    documentCode: string | null = null,
  ): Promise<string> {
    const definition = await this.definitions.get(tx, definitionCode);
    if (definition.trigger !== 'A_MANO') throw new ProcessRefused('STARTED_BY_ITSELF', 'process_code');
    const createdBy = { userId, code: userCode };
    const start = { subject: request, createdBy, entityCode: activeEntity, documentCode };
    const code = await this.starter.start(tx, definition, start);
    if (code === undefined) throw new Error('A process that was asked for once has begun before.');
    return code;
  }
}
