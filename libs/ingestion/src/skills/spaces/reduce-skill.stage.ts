import { Injectable } from '@nestjs/common';
import { spaceExists } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { BackgroundDatabase } from '@acervo/platform-database';
import { type Lease, RunsStage, Tasks } from '@acervo/platform-queue';
import type { WorkScope } from '@acervo/rbac';
import { Cpu } from '../../cpu/cpu';
import { REDUCE_SKILL } from '../../kernel/stages';
import { PipelineSettings } from '../../reading/pipeline-settings';
import type { Unmade } from '../model/model-failures';
import { isUnsaid } from '../model/skill-models';
import { knownSkill } from '../product-skills';
import { REDUCE_STATEMENTS } from './reduce-statements';
import { type FoundInDocument, SpaceSkillStore, type SpaceWork, type StoredDigest } from './space-skill.store';

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
    private readonly cpu: Cpu,
    private readonly settings: PipelineSettings,
  ) {}

  @RunsStage(REDUCE_SKILL)
  async run(scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) {
      const work = await this.store.work(scope, lease.subjectId);
      // Its space is deleted, which withdraws the task as well.
      if (work === undefined) await this.database.write(scope, (tx) => this.tasks.complete(tx, lease));
      else await this.finish(scope, lease, work);
    }
  }

  private async finish(scope: WorkScope, lease: Lease, work: SpaceWork): Promise<void> {
    const { version } = knownSkill(work.skillCode);
    const found = await this.store.found(scope, work);
    if (found === null) return this.end(scope, lease, work, AWAITS_DOCUMENTS);
    const isThere = await this.isThere(scope, work);
    if (isThere === undefined) return this.end(scope, lease, work, AWAITS_SPACE);
    if (!isThere) return this.database.write(scope, (tx) => this.store.forgetSpaces(tx, [work.spaceId]));
    if (found.length === 0) return this.end(scope, lease, work, WITHOUT_RESULTS);
    const result = await this.reduce(found);
    return this.end(scope, lease, work, { version, result });
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
  private end(
    scope: WorkScope,
    lease: Lease,
    work: SpaceWork,
    outcome: Unmade | { readonly version: string; readonly result: StoredDigest },
  ): Promise<void> {
    const { store, tasks } = this;
    return this.database.write(scope, async (tx) => {
      const cited = 'result' in outcome ? outcome.result.sources.map(({ documentId }) => documentId) : [];
      const isWhole = await store.holdDocuments(tx, cited);
      const isLatest = await store.lockLatest(tx, work);
      if ('reason' in outcome) await tasks.fail(tx, lease, outcome);
      else if (!isWhole) await tasks.fail(tx, lease, AWAITS_DOCUMENTS);
      else {
        await store.save(tx, work, outcome.version, outcome.result);
        await tasks.complete(tx, lease);
      }
      if (!isLatest) await store.enqueue(tx, work.workId);
    });
  }

  private async reduce(found: readonly FoundInDocument[]): Promise<StoredDigest> {
    const sources = found.map(({ documentId, result }) => ({ documentId, result }));
    const digest = await this.cpu.run(REDUCE_STATEMENTS, { sources, languages: this.settings.chunks.languages });
    const cited = new Set(digest.statements.flatMap(({ citations }) => citations.map(({ documentId }) => documentId)));
    const quoted = found.filter(({ documentId }) => cited.has(documentId));
    return {
      ...digest,
      sources: quoted.map(({ documentId, revision, textObject }) => ({ documentId, revision, textObject })),
    };
  }
}
