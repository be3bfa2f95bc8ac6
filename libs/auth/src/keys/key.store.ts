import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { formatKey, newKeyParts } from './key-format';
import { Peppers } from '../secrets/peppers';
import { assertRoom } from '../kernel/row-limits';

export interface NewApiKey {
  readonly userId: string;
  readonly roleId: number;
  readonly name: string;
  readonly createdBy: string;
  /** The creator's own group, where it is another. */
  readonly createdIn?: string | null;
  readonly fixedEntity?: string | null;
  readonly fixedArea?: string | null;
}

@Injectable()
export class KeyStore {
  constructor(private readonly peppers: Peppers) {}

  /** Creates a key and returns it this once: the table stores its hash. */
  async create(tx: Transaction, { userId, roleId, name, createdBy, ...more }: NewApiKey): Promise<string> {
    if (tx.groupId === null) throw new Error('A key belongs to a group.');
    await assertRoom(tx, 'api_key');
    const parts = newKeyParts(tx.groupId);
    const { createdIn = null, fixedEntity = null, fixedArea = null } = more;
    const { version } = this.peppers;
    await tx.query(
      `insert into auth.api_key (group_id, key_id, user_id, role_id, name, created_by, pepper_version, secret_hash,
         created_in, fixed_entity, fixed_area)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        tx.groupId,
        parts.keyId,
        userId,
        roleId,
        name,
        createdBy,
        version,
        this.peppers.hash(parts.secret),
        createdIn,
        fixedEntity,
        fixedArea,
      ],
    );
    return formatKey(parts);
  }
}
