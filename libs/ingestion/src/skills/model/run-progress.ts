import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type Transaction } from '@acervo/platform-database';
import { type Lease, LeaseLost, type Stage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { REDUCE_SKILL, RUN_SKILL } from '../../kernel/stages';
import { lockDocuments } from '../skill-sql';
import type { SliceAnswer } from './cite-answers';

/** What a model answered so far, under the key of the result that is to come. */
interface SkillProgress {
  readonly key: string;
  readonly answers: readonly SliceAnswer[];
  /** The documents that the answers quote; absent for the text of a document, which takes its run with it. */
  readonly documentIds?: readonly string[];
}

/** The stages whose runs a model reads for, and where their answers are stored. */
const RUNS = new Map(
  [
    { stage: RUN_SKILL, table: 'ingestion.document_skill' },
    { stage: REDUCE_SKILL, table: 'ingestion.space_skill' },
  ].map((each) => [each.stage.name, each]),
);

const runOf = ({ stage }: Lease): { readonly stage: Stage; readonly table: string } => {
  const run = RUNS.get(stage);
  if (run === undefined) throw new Error(`Work of the stage ${stage} stores no answers of a model.`);
  return run;
};

/** The stage of a run that a model reads for. */
export const stageOf = (lease: Lease): Stage => runOf(lease).stage;

/** What interrupted runs have read, over documents and over spaces. */
@Injectable()
export class RunProgress {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
  ) {}

  /** What an interrupted run has read under a key. */
  async answers(scope: WorkScope, lease: Lease, key: string): Promise<readonly SliceAnswer[]> {
    const [row] = await this.database.read(scope, (tx) =>
      tx.prepared<Pick<SkillProgress, 'answers'>>(
        `select progress->'answers' as answers from ${runOf(lease).table}
         where group_id = $1 and work_id = $2 and progress->>'key' = $3`,
        [scope.groupId, lease.subjectId, key],
      ),
    );
    return row?.answers ?? [];
  }

  /**
   * Keeps the answers so far, unless one of the documents that they quote is deleted. Requests and deletions lock the
   * documents and the run before its task, too.
   * @throws LeaseLost as soon as another worker has the run; nothing is kept then
   */
  async keep(scope: WorkScope, lease: Lease, progress: SkillProgress): Promise<void> {
    await this.database.write(scope, async (tx) => {
      if (await lockDocuments(tx, progress.documentIds ?? [])) await this.update(tx, lease, progress);
      if ((await this.tasks.lockLeases(tx, [lease])).length === 0) throw new LeaseLost();
    });
  }

  private async update(tx: Transaction, lease: Lease, progress: SkillProgress): Promise<void> {
    await tx.prepared(`update ${runOf(lease).table} set progress = $3::jsonb where group_id = $1 and work_id = $2`, [
      tx.groupId,
      lease.subjectId,
      JSON.stringify(progress),
    ]);
  }
}
