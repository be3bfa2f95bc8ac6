import { Injectable } from '@nestjs/common';
import { NotFound, type WatchedRoot } from '@acervo/contracts';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import { type Visibility, visibilitySql } from '@acervo/rbac';
import { LocationEvents } from './location-events';
import { takeNumbers } from '../counters/counter.store';
import { SCAN } from '../kernel/stages';
import { work } from '../kernel/work-sql';
import { FolderDeleted, FoldersOverlap } from './location.errors';
import type { Location } from './location-tree';
import type { RootFolder } from './root-folder';
import { isFolderSql } from './web-root';

const SCAN_TASK = work.joinOpen({ group: 'r.group_id', subject: 'r.run_id', stages: [SCAN] });

/** The root of a location tree. */
export interface Root {
  readonly code: string;
  readonly name: string;
  /** Of a folder on this machine; that of a web location only names it. */
  readonly path: string;
  readonly entityCode: string;
}

/** A root, and whether this registration created it. */
export interface Registered extends Root {
  readonly created: boolean;
}

const ROOT = `select l.code, l.name, l.root_path as path, l.entity_code as "entityCode" from ingestion.location l`;
const IS_ROOT = `l.root_path is not null and l.deleted_at is null`;

/** Checks in each transaction of a scan whether the scan may still write. */
interface Fence {
  assertOwned(tx: Transaction): Promise<void>;
}

/** Rows that one transaction writes. */
const BATCH = 40;

const inBatches = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, index) => rows.slice(index * BATCH, (index + 1) * BATCH));

const codesOf = (rows: readonly { readonly code: string }[]): string[] => rows.map(({ code }) => code);

/** Rows of a batch, as `given`. */
const LOCATION_ROWS = `jsonb_to_recordset($2::jsonb) as given (code text, "parentCode" text, name text, "relativePath" text,
  device text, inode text, ancestors text[])`;

/** The folder trees of a group. */
@Injectable()
export class LocationStore {
  constructor(
    private readonly database: BackgroundDatabase,
    private readonly locationEvents: LocationEvents,
  ) {}

  /** Registers a root unless its path is registered; answers it and whether it is new. @throws FoldersOverlap */
  async register(tx: Transaction, { path, name, inode }: RootFolder, entityCode?: string): Promise<Registered> {
    // Two concurrent registrations would each miss the folder of the other.
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('locations.register ' || $1, 0))`, [tx.groupId]);
    const existing = await this.rootAt(tx, path);
    if (existing !== undefined) return { ...existing, path, created: false };
    if (entityCode === undefined) throw new NotFound();
    await this.assertApart(tx, path);
    const code = `L${await takeNumbers(tx, 'location', 1)}`;
    await tx.query(
      `insert into ingestion.location
         (group_id, code, root_code, name, relative_path, root_path, device, inode, entity_code, location_ancestors)
       values ($1, $2, $2, $3, '', $4, 'root', $5, $6, array[$2])`,
      [tx.groupId, code, name, path, inode, entityCode],
    );
    await this.locationEvents.publish(tx, [code]);
    return { code, name, path, entityCode, created: true };
  }

  /** @throws NotFound for a code that is no root of the group */
  async root(scope: TenantScope, code: string): Promise<Root> {
    const root = await this.find(scope, code);
    if (root === undefined) throw new NotFound();
    return root;
  }

  /** Undefined for a code that is no root of the group, or no longer one. */
  async find(scope: TenantScope, code: string): Promise<Root | undefined> {
    const [row] = await this.database.read(scope, (tx) =>
      tx.query<Root>(`${ROOT} where l.group_id = $1 and l.code = $2 and ${IS_ROOT}`, [scope.groupId, code]),
    );
    return row;
  }

  /** @throws NotFound for an absent or invisible root */
  visibleRoot(visibility: Visibility, code: string): Promise<Root> {
    return this.database.read(visibility, (tx) => this.visibleRootIn(tx, visibility, code));
  }

  /** The same within a transaction; `lockClause` may lock the row until its end. @throws NotFound */
  async visibleRootIn(tx: Transaction, visibility: Visibility, code: string, lockClause = ''): Promise<Root> {
    const visible = visibilitySql(visibility, 'l', 2);
    const [row] = await tx.query<Root>(`${ROOT} where l.code = $1 and ${IS_ROOT} and ${visible.sql} ${lockClause}`, [
      code,
      ...visible.params,
    ]);
    if (row === undefined) throw new NotFound();
    return row;
  }

  async rename(tx: Transaction, code: string, name: string): Promise<void> {
    await tx.query(`update ingestion.location set name = $3 where group_id = $1 and code = $2`, [
      tx.groupId,
      code,
      name,
    ]);
    await this.locationEvents.publish(tx, [code]);
  }

  /** All folders of a root, itself included. */
  tree(scope: TenantScope, rootCode: string): Promise<Location[]> {
    return this.database.read(scope, (tx) =>
      tx.query<Location>(
        `select code, parent_code as "parentCode", name, relative_path as "relativePath", device, inode,
           location_ancestors as ancestors, removed_at is not null as removed
         from ingestion.location where group_id = $1 and root_code = $2`,
        [scope.groupId, rootCode],
      ),
    );
  }

  /** Reserves codes for new folders; answers a function that returns the next one. */
  async reserve(scope: TenantScope, count: number): Promise<() => string> {
    let next = count === 0 ? 0 : await this.database.write(scope, (tx) => takeNumbers(tx, 'location', count));
    return () => `L${next++}`;
  }

  async add(scope: TenantScope, root: Root, lock: Fence, locations: readonly Location[]): Promise<void> {
    for (const batch of inBatches(locations))
      await this.database.write(scope, async (tx) => {
        await lock.assertOwned(tx);
        await tx.query(
          `insert into ingestion.location
             (group_id, root_code, entity_code, code, parent_code, name, relative_path, device, inode, location_ancestors)
           select $1, $3, $4, code, "parentCode", name, "relativePath", device, inode, ancestors from ${LOCATION_ROWS}`,
          [scope.groupId, JSON.stringify(batch), root.code, root.entityCode],
        );
        await this.locationEvents.publish(tx, codesOf(batch));
      });
  }

  /** Writes the present places of folders. */
  async move(scope: TenantScope, lock: Fence, locations: readonly Location[]): Promise<void> {
    for (const batch of inBatches(locations))
      await this.database.write(scope, async (tx) => {
        await lock.assertOwned(tx);
        await tx.query(
          `update ingestion.location l set parent_code = given."parentCode", name = given.name,
             relative_path = given."relativePath", device = given.device, inode = given.inode,
             location_ancestors = given.ancestors, removed_at = null
           from ${LOCATION_ROWS} where l.group_id = $1 and l.code = given.code`,
          [scope.groupId, JSON.stringify(batch)],
        );
        await this.locationEvents.publish(tx, codesOf(batch));
      });
  }

  /** Marks folders as removed. They keep their codes, in case they return. */
  async remove(scope: TenantScope, lock: Fence, codes: readonly string[]): Promise<void> {
    for (const batch of inBatches(codes))
      await this.database.write(scope, async (tx) => {
        await lock.assertOwned(tx);
        const gone = await tx.query<{ code: string }>(
          `update ingestion.location set removed_at = now() where group_id = $1 and code = any($2::text[])
             and removed_at is null returning code`,
          [scope.groupId, batch],
        );
        await this.locationEvents.publish(tx, codesOf(gone));
      });
  }

  /** Publishes `location.described` for folders registered before the event existed. */
  async publishUnpublished(scope: TenantScope, rootCode: string): Promise<void> {
    for (let published = -1; published !== 0;)
      published = await this.database.write(scope, async (tx) => {
        const unpublished = await tx.query<{ code: string }>(
          `select code from ingestion.location where group_id = $1 and root_code = $2 and revision = 0 limit ${BATCH}`,
          [scope.groupId, rootCode],
        );
        if (unpublished.length > 0) await this.locationEvents.publish(tx, codesOf(unpublished));
        return unpublished.length;
      });
  }

  /** @throws FolderDeleted for a folder that was deleted and not registered again */
  async assertNotDeleted(tx: Transaction, { path }: RootFolder): Promise<void> {
    const [row] = await tx.query<{ deleted: boolean | null }>(
      `select bool_and(deleted_at is not null) as deleted from ingestion.location
       where group_id = $1 and root_path = $2`,
      [tx.groupId, path],
    );
    if (row?.deleted === true) throw new FolderDeleted();
  }

  /** Every folder that is or was registered as a root, by path. */
  roots(scope: TenantScope): Promise<WatchedRoot[]> {
    return this.database.read(scope, (tx) =>
      tx.query<WatchedRoot>(
        `select l.root_path as path, bool_and(l.deleted_at is not null) as deleted, bool_or(p.code is not null) as "awaitsRun"
         from ingestion.location l left join (select distinct r.location_code as code from ingestion.run r
           ${SCAN_TASK} where r.group_id = $1 and r.started_at is null) p on p.code = l.code
         where l.group_id = $1 and l.root_path is not null and ${isFolderSql('l')} group by l.root_path order by l.root_path collate "C"`,
        [scope.groupId],
      ),
    );
  }

  private async assertApart(tx: Transaction, path: string): Promise<void> {
    const overlapping = await tx.query(
      `select from ingestion.location where group_id = $1 and root_path is not null
         and deleted_at is null and (starts_with($2 || '/', root_path || '/') or starts_with(root_path || '/', $2 || '/')) limit 1`,
      [tx.groupId, path],
    );
    if (overlapping.length > 0) throw new FoldersOverlap();
  }

  private async rootAt(tx: Transaction, path: string): Promise<Root | undefined> {
    const [row] = await tx.query<Root>(`${ROOT} where l.group_id = $1 and l.root_path = $2 and ${IS_ROOT}`, [
      tx.groupId,
      path,
    ]);
    return row;
  }
}
