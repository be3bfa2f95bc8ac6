import { Injectable } from '@nestjs/common';
import type { WorkScope } from '@acervo/rbac';
import { LongMissing } from '../documents/long-missing';
import { FolderTransfer } from '../exports/folder-transfer';
import { CorpusPages } from '../corpus/corpus-pages';
import { Comparison } from './comparison';
import { ObjectCheck } from './object-check';
import { counted, type Pass } from './reconciliation.store';
import { Repairs } from './repairs';

/** Longest time of one step before it lets other work run. */
const STEP_MS = 500;
/** Most suspicions that are kept and confirmed together. */
const MOST_SUSPECTED = 400;
const CONFIRMED_AT_ONCE = 40;

/** Compares the stores of a group in short steps, each of which is repeatable. */
@Injectable()
export class Reconciler {
  constructor(
    private readonly comparison: Comparison,
    private readonly check: ObjectCheck,
    private readonly repairs: Repairs,
    private readonly longMissing: LongMissing,
    private readonly exports: FolderTransfer,
    private readonly pages: CorpusPages,
  ) {}

  /** Runs the next step; undefined after the last one. */
  async step(scope: WorkScope, pass: Pass, alive: () => Promise<void>): Promise<Pass | undefined> {
    if (pass.phase === 'waiting') await this.release(scope, alive);
    if (pass.phase === 'confirming') return this.confirm(scope, pass, alive);
    if (pass.phase === 'objects') return this.objects(scope, pass, alive);
    return this.documents(scope, pass, alive);
  }

  /** Runs before a comparison begins, so that the comparison finds nothing obsolete. */
  private async release(scope: WorkScope, alive: () => Promise<void>): Promise<void> {
    await this.longMissing.release(scope, alive);
    await this.exports.forgetAbandoned(scope);
  }

  private async documents(scope: WorkScope, pass: Pass, alive: () => Promise<void>): Promise<Pass> {
    const end = performance.now() + STEP_MS;
    let { after, documents, copiesUnread } = pass;
    const suspected = [...pass.suspected];
    do {
      const look = await this.comparison.look(scope, after);
      documents += look.documents;
      copiesUnread += look.copiesUnread;
      suspected.push(...look.suspicions);
      await this.repairs.describeAgain(scope, look.undescribed);
      after = look.next;
      await alive();
    } while (after !== null && performance.now() < end && suspected.length < MOST_SUSPECTED);
    const isThrough = after === null;
    const isDue = suspected.length > 0 && (isThrough || suspected.length >= MOST_SUSPECTED);
    const next = isDue ? 'confirming' : isThrough ? 'objects' : 'documents';
    return { ...pass, phase: next, after, documents, copiesUnread, suspected, isThrough };
  }

  private async confirm(scope: WorkScope, pass: Pass, alive: () => Promise<void>): Promise<Pass> {
    const { comparison, repairs } = this;
    let { tally, copiesUnread } = pass;
    for (let from = 0; from < pass.suspected.length; from += CONFIRMED_AT_ONCE) {
      const slice = pass.suspected.slice(from, from + CONFIRMED_AT_ONCE);
      const confirmed = await comparison.confirm(scope, slice);
      copiesUnread += confirmed.copiesUnread;
      for (const [suspicion, compared] of confirmed.differences)
        tally = counted(tally, suspicion.kind, 1, (await repairs.repair(scope, suspicion, compared)) ? 1 : 0);
      await alive();
    }
    await repairs.notify(scope);
    return { ...pass, phase: pass.isThrough ? 'objects' : 'documents', suspected: [], tally, copiesUnread };
  }

  private async objects(scope: WorkScope, pass: Pass, alive: () => Promise<void>): Promise<Pass | undefined> {
    const { check, repairs } = this;
    const parts = await check.parts(scope);
    const { objects, swept, missing } = await check.check(scope, pass.part, parts, alive);
    let tally = counted(pass.tally, 'object.unneeded', swept, swept);
    if (missing.length > 0) {
      const restored = await repairs.restore(scope, missing);
      const forgotten = await check.forgetResults(scope, missing);
      tally = counted(tally, 'object.missing', missing.length, restored + forgotten > 0 ? missing.length : 0);
      await repairs.notify(scope);
    }
    const next: Pass = { ...pass, part: pass.part + 1, objects: pass.objects + objects, tally };
    return next.part < parts ? next : { ...next, phase: 'waiting', tally: await this.recount(scope, tally) };
  }

  /** Compares the counted pages of the group with those of its documents. */
  private async recount(scope: WorkScope, tally: Pass['tally']): Promise<Pass['tally']> {
    const wrong = await this.pages.recount(scope);
    return counted(tally, 'pages.differ', wrong === 0 ? 0 : 1, wrong === 0 ? 0 : 1);
  }
}
