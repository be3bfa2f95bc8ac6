import { Injectable } from '@nestjs/common';
import type { DependencyCount } from '@acervo/contracts';
import { countSelected, type SelectedRows, type Selection, type Transaction } from '@acervo/platform-database';
import type { SpaceRow } from '../space-members/space.store';

const KINDS = ['areas_de_trabajo', 'espacios_compartidos'] as const;
type Kind = (typeof KINDS)[number];

type DeletedSpace = Pick<SpaceRow, 'spaceId' | 'version' | 'requested'>;

/** Spaces of one user: `$1` is the group, `$2` the user. */
const ofUser = (type: 'AREA' | 'ESPACIO'): SelectedRows => ({
  from: 'retrieval.space s',
  where: `s.group_id = $1 and s.owner_id = $2 and s.type = '${type}'`,
});

/** The deletion of a user deletes the first rows, and hands the second ones over; its preview counts both. */
const selectAffected = ({ groupId }: Transaction, userId: string): Selection<Kind> => ({
  rows: { areas_de_trabajo: ofUser('AREA'), espacios_compartidos: ofUser('ESPACIO') },
  params: [groupId, userId],
});

/** The spaces that one user owns. */
@Injectable()
export class UserSpacesStore {
  async count(tx: Transaction, userId: string): Promise<readonly DependencyCount[]> {
    const counts = await countSelected(tx, selectAffected(tx, userId));
    return KINDS.map((kind) => ({ kind, count: counts[kind] }));
  }

  /**
   * Deletes the working sets of a user, and leaves the shared spaces to the administrators. Returns the deleted spaces.
   */
  async release(tx: Transaction, userId: string): Promise<readonly DeletedSpace[]> {
    const { rows, params } = selectAffected(tx, userId);
    const { areas_de_trabajo: areas, espacios_compartidos: shared } = rows;
    const deleted = await tx.query<DeletedSpace>(
      `delete from ${areas.from} where ${areas.where} returning s.space_id as "spaceId", s.version, s.requested`,
      params,
    );
    await tx.query(`update ${shared.from} set owner_id = null where ${shared.where}`, params);
    return deleted;
  }
}
