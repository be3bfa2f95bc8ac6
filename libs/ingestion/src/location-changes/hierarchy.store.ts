import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { AttachmentStore } from '../attachments/attachment.store';
import { DocumentEvents } from '../document-state/document-events';
import { takeNumbers } from '../counters/counter.store';
import { misplaced, type Placed } from './hierarchy';
import { LocationEvents } from '../locations/location-events';
import type { Root } from '../locations/location.store';
import type { Location } from '../locations/location-tree';

/** Most documents, or folders, that one request repairs. */
export const MOST_PUT_RIGHT = 200;

const DIRECTORY = `regexp_replace(d.relative_path, '/?[^/]*$', '')`;

const LOCATIONS_SQL = `select code, parent_code as "parentCode", name, relative_path as "relativePath", device, inode,
  location_ancestors as ancestors, removed_at is not null as removed from ingestion.location
  where group_id = $1 and root_code = $2 order by code`;

/** Documents outside the folder of their path, each with that folder. A name that the folder has already is skipped. */
const ASTRAY = `from ingestion.document d
  cross join lateral (select l.code, l.location_ancestors from ingestion.location l
    where l.group_id = d.group_id and l.root_code = d.root_code and l.relative_path = ${DIRECTORY}
    order by l.removed_at is not null, length(l.code), l.code limit 1) place
  where d.group_id = $1 and d.root_code = $2 and d.parent_id is null
    and (d.location_code <> place.code or d.location_ancestors <> place.location_ancestors
      or d.path <> '/' || $3 || '/' || d.relative_path)
    and not exists (select from ingestion.document o where o.group_id = d.group_id and o.document_id <> d.document_id
      and o.location_code = place.code and o.name = d.name and o.parent_id is null)`;

/** Repairs the folders of a root after the paths of its documents, and moves the documents into them. */
@Injectable()
export class HierarchyStore {
  constructor(
    private readonly locations: LocationEvents,
    private readonly documents: DocumentEvents,
    private readonly attachments: AttachmentStore,
  ) {}

  /** Answers how many folders it repaired. */
  async placeFolders(tx: Transaction, root: Root): Promise<number> {
    const registered = await tx.query<Location>(LOCATIONS_SQL, [tx.groupId, root.code]);
    const rows = await tx.query<{ directory: string }>(
      `select distinct ${DIRECTORY} as directory from ingestion.document d
       where d.group_id = $1 and d.root_code = $2 and d.parent_id is null`,
      [tx.groupId, root.code],
    );
    const directories = rows.map(({ directory }) => directory);
    const unknown = misplaced(registered, directories, () => '').filter(({ isNew }) => isNew).length;
    let next = unknown === 0 ? 0 : await takeNumbers(tx, 'location', unknown);
    const wrong = misplaced(registered, directories, () => `L${next++}`).slice(0, MOST_PUT_RIGHT);
    for (const folder of wrong) await this.place(tx, root, folder);
    await this.locations.publish(
      tx,
      wrong.map(({ code }) => code),
    );
    return wrong.length;
  }

  /** Answers how many documents it repaired. */
  async placeDocuments(tx: Transaction, root: Root): Promise<number> {
    const rows = await tx.query<{ id: string }>(
      `update ingestion.document t set location_code = wrong.code, location_ancestors = wrong.location_ancestors,
         path = '/' || $3 || '/' || t.relative_path, updated_at = now()
       from (select d.document_id, place.code, place.location_ancestors ${ASTRAY}
         order by d.document_id limit ${MOST_PUT_RIGHT}) wrong
       where t.group_id = $1 and t.document_id = wrong.document_id returning t.document_id as id`,
      [tx.groupId, root.code, root.name],
    );
    const ids = rows.map(({ id }) => id);
    const carried = await this.attachments.follow(tx, ids);
    await this.documents.describe(tx, [...ids, ...carried]);
    return ids.length;
  }

  async astray(tx: Transaction, root: Root): Promise<number> {
    const [row] = await tx.query<{ documents: number }>(`select count(*)::int as documents ${ASTRAY}`, [
      tx.groupId,
      root.code,
      root.name,
    ]);
    return row?.documents ?? 0;
  }

  private async place(tx: Transaction, root: Root, folder: Placed): Promise<void> {
    const { code, parentCode, name, relativePath, device, inode, ancestors, isNew } = folder;
    const values = [tx.groupId, code, parentCode, name, ancestors];
    if (isNew)
      await tx.query(
        `insert into ingestion.location (group_id, code, parent_code, name, location_ancestors, root_code, entity_code,
           relative_path, device, inode) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [...values, root.code, root.entityCode, relativePath, device, inode],
      );
    else
      await tx.query(
        `update ingestion.location set parent_code = $3, name = $4, location_ancestors = $5
         where group_id = $1 and code = $2`,
        values,
      );
  }
}
