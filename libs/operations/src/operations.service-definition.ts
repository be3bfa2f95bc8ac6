import { allOperations } from '@acervo/contracts';
import { VersionedSecret, Setting } from '@acervo/platform-config';
import { defineService, ServiceConfig } from '@acervo/platform-service';
import { operationRows } from '@acervo/rbac';
import { AuditChain } from './audit/audit-chain';
import { AuditCalls } from './audit/audit.calls';
import { AuditStore } from './audit/audit.store';
import { Catalogue } from './catalogue/catalogue';
import { CatalogueCalls } from './catalogue/catalogue.calls';
import { FunctionsCalls } from './catalogue/functions.calls';
import { guide } from './catalogue/guide';
import { pendingOperations } from './catalogue/pending';
import { Executor } from './execution/executor';
import { Once } from './execution/once';
import { OnceStore } from './execution/once.store';
import { PreviewTokens } from './execution/preview-tokens';
import { operationsMigrations } from './migrations';
import { operationsWishes } from './wishes/operations.wishes';

export class OperationsConfig extends ServiceConfig {
  @Setting({
    env: 'ACERVO_AUDIT_KEY',
    default: '',
    secret: true,
    description:
      'Server key that audit records and previews are signed with, at least 16 characters; several as 1:old,2:new, old ones kept for as long as what they signed',
  })
  readonly auditKey!: string;
}

/** Everything that is published. @throws Error where it does not fit the table of operations. */
const publishedCatalogue = (): Catalogue => new Catalogue(allOperations(), operationRows, pendingOperations);

/** The reference of what is published, as Markdown. */
export const operationsGuide = (): string =>
  guide(
    publishedCatalogue().entries,
    operationRows.filter(({ code }) => pendingOperations.includes(code)),
  );

/** Runs what programs and agents ask for by name, and remembers every write whoever asked for it. */
export const operationsService = defineService({
  name: 'operations',
  config: OperationsConfig,
  migrations: operationsMigrations,
  wishes: operationsWishes,
  compose: ({ config, calls, engines: { database } }) => {
    const keys = new VersionedSecret(config.auditKey, 'ACERVO_AUDIT_KEY');
    const catalogue = publishedCatalogue();
    const chain = new AuditChain(keys);
    const once = new Once(database, new OnceStore());
    return {
      providers: [
        new CatalogueCalls(catalogue),
        new FunctionsCalls(calls, catalogue),
        new Executor(catalogue, calls, new PreviewTokens(keys), once),
        new AuditCalls(database, new AuditStore(chain), chain),
      ],
    };
  },
});
