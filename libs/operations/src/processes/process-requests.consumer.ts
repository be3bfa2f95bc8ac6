import { Injectable } from '@nestjs/common';
import { documentClassified, type DocumentClassified, processRequested, type ProcessRequest } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { On } from '@acervo/platform-messaging';
import type { WorkScope } from '@acervo/rbac';
import { DefinitionStore } from './definition.store';
import { ProcessStore } from './process.store';
import { ProcessStarter } from './process-starter';

/** Starts what documents and services ask for; a repeated event starts nothing. */
@Injectable()
export class ProcessRequestsConsumer {
  constructor(
    private readonly definitions: DefinitionStore,
    private readonly processes: ProcessStore,
    private readonly starter: ProcessStarter,
  ) {}

  /** Documents start each definition of their types or of those above, once. */
  @On(documentClassified, { atOnce: 64 })
  async classified(_scope: WorkScope, tx: Transaction, documents: readonly DocumentClassified[]): Promise<void> {
    const types = new Set(documents.flatMap(({ typeCodes }) => typeCodes));
    const definitions = await this.definitions.startedBy(tx, [...types]);
    for (const { documentId, code: documentCode, entityCode, typeCodes } of documents)
      for (const { documentTypeCode, ...definition } of definitions)
        if (typeCodes.includes(documentTypeCode))
          await this.starter.start(tx, definition, { subject: documentId, createdBy: null, entityCode, documentCode });
  }

  @On(processRequested)
  async requested(_scope: WorkScope, tx: Transaction, request: ProcessRequest): Promise<void> {
    const { processType: type, subject, name, description, priority, code, userId, userCode, entityCode } = request;
    const createdBy = userId === undefined || userCode === undefined ? null : { userId, code: userCode };
    await this.processes.start(tx, {
      ...(code === undefined ? {} : { code }),
      ...{ type, subject, name, description, priority, createdBy },
      ...{ definitionCode: null, category: null, assignedTo: null, documentCode: null, dueAt: null },
      entityCode: entityCode ?? null,
    });
  }
}
