import { setTimeout as pause } from 'node:timers/promises';
import type { Database, TenantScope } from '@acervo/platform-database';

/** Identifies a result: a step, a key of its input and settings, and the content. */
export interface ResultId {
  readonly stage: string;
  readonly key: string;
  /** SHA-256 of the bytes of the original. */
  readonly contentHash: string;
}

/** A question waits for others for this long, in milliseconds: a query costs more than a small step. */
const GATHER_MS = 4;

/** The name of a result among all groups. */
export const resultName = ({ groupId }: TenantScope, { stage, key }: ResultId): string => `${groupId}/${stage}/${key}`;

interface Question {
  readonly id: ResultId;
  answer(value: object | undefined): void;
  fail(error: unknown): void;
}

/** Questions of one group, asked together. */
interface Asked {
  readonly scope: TenantScope;
  readonly waiting: Question[];
}

/** Reads remembered results, one query for all concurrent questions of a group. */
export class ResultLookup {
  private readonly asked = new Map<string, Asked>();

  constructor(private readonly database: Pick<Database, 'read'>) {}

  find(scope: TenantScope, id: ResultId): Promise<object | undefined> {
    const name = `${scope.groupId}/${String(scope.urgent === true)}`;
    const running = this.asked.get(name);
    const asked = running ?? { scope, waiting: [] };
    const answered = new Promise<object | undefined>((answer, fail) => asked.waiting.push({ id, answer, fail }));
    if (running === undefined) {
      this.asked.set(name, asked);
      void this.run(name, asked);
    }
    return answered;
  }

  /** Questions that arrive while a query runs share the next one. */
  private async run(name: string, { scope, waiting }: Asked): Promise<void> {
    await pause(GATHER_MS);
    while (waiting.length > 0) await this.answer(scope, waiting.splice(0));
    this.asked.delete(name);
  }

  private async answer(scope: TenantScope, questions: readonly Question[]): Promise<void> {
    try {
      const found = await this.read(
        scope,
        questions.map(({ id }) => id),
      );
      for (const { id, answer } of questions) answer(found.get(resultName(scope, id)));
    } catch (error) {
      for (const { fail } of questions) fail(error);
    }
  }

  private async read(scope: TenantScope, ids: readonly ResultId[]): Promise<ReadonlyMap<string, object>> {
    const rows = await this.database.read(scope, (tx) =>
      tx.prepared<ResultId & { readonly value: object }>(
        `select r.stage, r.key, r.content_hash as "contentHash", r.value
         from unnest($2::text[], $3::text[]) as given (stage, key)
         join ingestion.step_result r on r.group_id = $1 and r.stage = given.stage and r.key = given.key`,
        [scope.groupId, ids.map(({ stage }) => stage), ids.map(({ key }) => key)],
      ),
    );
    return new Map(rows.map((row) => [resultName(scope, row), row.value]));
  }
}
