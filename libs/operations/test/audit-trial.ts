import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditRecord } from '@acervo/contracts';
import { DirectoryObjectStore } from '@acervo/platform-object-store';
import { Tasks } from '@acervo/platform-queue';
import { silent } from '@acervo/platform-testing';
import { WorkScope } from '@acervo/rbac';
import { AnchorCheck } from '../src/audit/anchor-check';
import { ANCHOR, AnchorPlan, AnchorStage } from '../src/audit/anchor.stage';
import { AnchorStore } from '../src/audit/anchor.store';
import { AuditAnchors } from '../src/audit/audit-anchor';
import { AuditChain } from '../src/audit/audit-chain';
import { AuditKeys } from '../src/audit/audit-keys';
import { AuditConsumer } from '../src/audit/audit.consumer';
import { AuditHandlers } from '../src/audit/audit.handlers';
import { AuditStore } from '../src/audit/audit.store';
import { ChainWalk } from '../src/audit/chain-walk';
import { VerifiedChains } from '../src/audit/verified-chains';
import type { Opened } from './support';

export const KEY = '1:a key of sixteen and more';

export const record = (over: Partial<AuditRecord> = {}): AuditRecord =>
  Object.assign(new AuditRecord(), {
    ...{ recordId: randomUUID(), call: 'users.create', outcome: 'SUCCEEDED', error: null, actor: 'ana@example.org' },
    ...{ cause: 'session:1', caller: 'auth', at: '2026-01-02T03:04:05.678Z' },
    ...over,
  });

export const scopeOf = (groupId: string): WorkScope => new WorkScope(groupId, 'operations', 'test');

/** Audit on the database of a suite, with objects in a directory. */
export interface AuditTrial {
  readonly directory: string;
  readonly objects: DirectoryObjectStore;
  readonly audit: AuditHandlers;
  readonly store: AuditStore;
  readonly anchors: AnchorStore;
  /** The proofs of a process; `now` answers milliseconds. */
  chains(now?: () => number): VerifiedChains;
  append(groupId: string, over?: Partial<AuditRecord>): Promise<void>;
  /** Works the anchor task of a group as it is due; answers whether there was one. */
  anchor(groupId: string): Promise<boolean>;
  remove(): void;
}

/** @param directory objects of another trial, to be opened with another audit key */
export const openAudit = (
  { database }: Opened,
  key = KEY,
  directory = mkdtempSync(join(tmpdir(), 'acervo-anchors-')),
): AuditTrial => {
  const keys = new AuditKeys(key);
  const [objects, chain, tasks] = [
    new DirectoryObjectStore(directory),
    new AuditChain(keys),
    new Tasks('operations', database),
  ];
  const store = new AuditStore(chain);
  const anchors = new AnchorStore(objects, new AuditAnchors(keys));
  const plan = new AnchorPlan(tasks, { auditKey: key, auditKeyCurrent: null, auditAnchorSeconds: 600 });
  const check = new AnchorCheck(database, store, anchors);
  const walk = new ChainWalk(database, store, chain);
  const audit = new AuditHandlers(database, store, walk, check);
  const consumer = new AuditConsumer(store, plan);
  const stage = new AnchorStage(database, tasks, store, anchors, plan, silent);
  return {
    ...{ directory, objects, audit, store, anchors },
    chains: (now) => new VerifiedChains(walk, check, now),
    append: (groupId, over) => database.write({ groupId }, (tx) => consumer.append(scopeOf(groupId), tx, record(over))),
    anchor: async (groupId) => {
      await database.write({ groupId }, (tx) => tasks.hasten(tx, [groupId], ANCHOR.name));
      const leases = await tasks.claim({ groupId }, ANCHOR.name, 1, 60);
      await stage.anchor(scopeOf(groupId), leases);
      return leases.length > 0;
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
};
