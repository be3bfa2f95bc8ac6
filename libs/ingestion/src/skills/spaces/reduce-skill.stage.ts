import { Injectable } from '@nestjs/common';
import { spaceExists } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { BackgroundDatabase } from '@acervo/platform-database';
import { Failpoints } from '@acervo/platform-messaging';
import { type Lease, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { REDUCE_SKILL } from '../../kernel/stages';
import type { Unmade } from '../model/model-failures';
import { isUnsaid } from '../model/skill-models';
import { knownSkill } from '../product-skills';
import { lockDocuments } from '../skill-sql';
import { SpaceDigests, type SpaceRun } from './space-digests';
import { type MadeDigest, SpaceSkillStore, type SpaceWork } from './space-skill.store';

/** Its documents are worked or fail by themselves, so the tries do not count. */
const AWAITS_DOCUMENTS: Unmade = { reason: 'RunAwaitsDocuments', retryInMs: 30_000, counts: false };
/** Without retrieval nothing says whether the space is there, so the tries do not count. */
const AWAITS_SPACE: Unmade = { reason: 'RunAwaitsSpace', retryInMs: 30_000, counts: false };
const WITHOUT_RESULTS: Unmade = { reason: 'DocumentsWithoutResult', retryInMs: null };

/** Ends a run over a space: makes one result of what its documents gave. */
@Injectable()
export class ReduceSkillStage {
  constructor(
    private readonly calls: Calls,
    private readonly database: BackgroundDatabase,
    private readonly tasks: Tasks,
    private readonly store: SpaceSkillStore,
    private readonly digests: SpaceDigests,
    private readonly failpoints: Failpoints,
  ) {}

  @RunsStage(REDUCE_SKILL)
  async run(scope: WorkScope, leases: readonly Lease[], stopping: AbortSignal): Promise<void> {
    for (const lease of leases) {
      const work = await this.store.work(scope, lease.subjectId);
      // Its space is deleted, which withdraws the task as well.
      if (work === undefined) await this.database.write(scope, (tx) => this.tasks.complete(tx, lease));
      else await this.finish(scope, { lease, work, stopping });
    }
  }

  private async finish(scope: WorkScope, run: SpaceRun): Promise<void> {
    const { lease, work } = run;
    const skill = knownSkill(work.skillCode);
    const found = await this.store.found(scope, work);
    if (found === null) return this.end(scope, lease, work, AWAITS_DOCUMENTS);
    const isThere = await this.isThere(scope, work);
    if (isThere === undefined) return this.end(scope, lease, work, AWAITS_SPACE);
    if (!isThere) return this.database.write(scope, (tx) => this.store.forgetSpaces(tx, [work.spaceId]));
    if (found.length === 0) return this.end(scope, lease, work, WITHOUT_RESULTS);
    return this.end(scope, lease, work, await this.digests.of(scope, run, skill, found));
  }

  /**
   * Whether the space of a run is there; undefined while retrieval does not answer. One that is deleted before its run is
   * stored is announced too early; one that is deleted later takes the run with it.
   */
  private async isThere(scope: WorkScope, { spaceId }: SpaceWork): Promise<boolean | undefined> {
    try {
      return (await this.calls.send(spaceExists, scope, { spaceId })).exists;
    } catch (error) {
      if (isUnsaid(error)) return undefined;
      throw error;
    }
  }

  /**
   * Ends a run with its outcome, and queues one that was requested meanwhile. Deletions of documents lock the documents
   * before the work, too; a result whose document is deleted meanwhile is made again without it.
   */
  private async end(scope: WorkScope, lease: Lease, work: SpaceWork, outcome: Unmade | MadeDigest): Promise<void> {
    const { store, tasks } = this;
    await this.database.write(scope, async (tx) => {
      const cited = 'result' in outcome ? outcome.result.sources.map(({ documentId }) => documentId) : [];
      const isWhole = await lockDocuments(tx, cited);
      const isLatest = await store.lockLatest(tx, work);
      if ('reason' in outcome) await tasks.fail(tx, lease, outcome);
      else if (!isWhole) await tasks.fail(tx, lease, AWAITS_DOCUMENTS);
      else {
        await store.save(tx, work, outcome);
        await tasks.complete(tx, lease);
      }
      if (!isLatest) await store.enqueue(tx, work.workId);
      this.failpoints.hit('skill.before-commit');
    });
    this.failpoints.hit('skill.committed');
  }
}
