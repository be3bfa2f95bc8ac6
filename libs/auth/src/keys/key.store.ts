import type { Transaction } from '@acervo/platform-database';
import { formatKey, newKeyParts } from './key-format';
import type { Peppers } from './key-hash';

export interface NewApiKey {
  readonly userId: string;
  readonly roleId: number;
  readonly name: string;
  readonly createdBy: string;
}

export class KeyStore {
  constructor(private readonly peppers: Peppers) {}

  /** Makes a key and gives it back this once: what is stored is its hash. */
  async create(tx: Transaction, { userId, roleId, name, createdBy }: NewApiKey): Promise<string> {
    if (tx.groupId === null) throw new Error('A key belongs to a group.');
    const parts = newKeyParts(tx.groupId);
    await tx.query(
      `insert into auth.api_key (group_id, key_id, user_id, role_id, name, created_by, pepper_version, secret_hash)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [tx.groupId, parts.keyId, userId, roleId, name, createdBy, this.peppers.version, this.peppers.hash(parts.secret)],
    );
    return formatKey(parts);
  }
}
