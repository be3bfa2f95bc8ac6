import { randomUUID } from 'node:crypto';
import type { SpaceOwnership } from '../src/space-members/space-access';
import type { Retrieval } from './support';

/** A space with its members, as a refresh leaves it. */
export interface SpaceInput extends Partial<SpaceOwnership> {
  readonly groupId: string;
  readonly spaceId: number;
  readonly members: readonly string[];
  readonly version?: number;
}

/** The user of `userScope`. */
export const OWNER: string = randomUUID();

/** Writes a space at a version, in the place of an earlier version. */
export const keepSpace = (
  { database }: Retrieval,
  { groupId, spaceId, members, version = 1, type = 'ESPACIO', entityCode = null, ownerId = OWNER }: SpaceInput,
): Promise<void> =>
  database.write({ groupId }, async (tx) => {
    await tx.query(
      `insert into retrieval.space_member (group_id, space_id, version, document_id)
       select $1, $2, $3, unnest($4::uuid[])`,
      [groupId, spaceId, version, members],
    );
    await tx.query(
      `insert into retrieval.space as s (group_id, space_id, name, description, type, entity_code, owner_id, version)
       values ($1, $2, 'n', '', $3, $4, $5, $6)
       on conflict (group_id, space_id) do update set version = excluded.version`,
      [groupId, spaceId, type, entityCode, ownerId, version],
    );
  });
