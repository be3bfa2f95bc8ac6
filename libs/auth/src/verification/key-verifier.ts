import { Injectable } from '@nestjs/common';
import { type ScopeClaims, Unauthorized } from '@acervo/contracts';
import { Database } from '@acervo/platform-database';
import { FocusReader } from '../focus/focus-reader';
import type { ApiKeyParts } from '../keys/key-format';
import { Peppers } from '../secrets/peppers';
import { claimsOf, functionsOfKey } from './claims';
import { type Creator, CredentialStore, type KeyRecord } from '../credentials/credential.store';

type Proof = (record: KeyRecord | undefined) => boolean;

/** The current rights of an API key. Its row, its owner, its role and its creator are read on each request. */
@Injectable()
export class KeyVerifier {
  /** Compared with the secret of an unknown key, which thus takes as long as a wrong one. */
  private readonly nobody: Buffer;

  constructor(
    private readonly database: Database,
    private readonly credentials: CredentialStore,
    private readonly peppers: Peppers,
    private readonly focuses: FocusReader,
  ) {
    this.nobody = peppers.hash('nobody');
  }

  /** @throws Unauthorized for a wrong secret, or for a key that currently has no rights. */
  claims({ groupId, keyId, secret }: ApiKeyParts): Promise<ScopeClaims> {
    const { peppers } = this;
    return this.claimsFor(groupId, keyId, (record) => {
      const genuine = peppers.matches(
        secret,
        record?.secretHash ?? this.nobody,
        record?.pepperVersion ?? peppers.version,
      );
      return genuine && record !== undefined;
    });
  }

  /** The current claims of a key that was verified before. @throws Unauthorized */
  renewed(groupId: string, keyId: string): Promise<ScopeClaims> {
    return this.claimsFor(groupId, keyId, (record) => record !== undefined);
  }

  /** The group of a locator is trusted once the secret fits; until then it only selects which rows are visible. */
  private async claimsFor(groupId: string, keyId: string, proves: Proof): Promise<ScopeClaims> {
    const { database, credentials, focuses } = this;
    const record = await database.readAtOnce({ groupId }, (tx) => credentials.key(tx, keyId));
    if (!proves(record) || record === undefined) throw new Unauthorized();
    const functions = functionsOfKey(record, await this.creatorOf(record));
    const bearer = { credential: 'api_key' as const, credentialId: keyId, groupId, assurance: 1 };
    return claimsOf(bearer, { ...record, functions }, await focuses.resolve(bearer, record));
  }

  /** The current rights of a key's creator; a creator from another group is read there. */
  private async creatorOf({ createdIn, createdBy, creator }: KeyRecord): Promise<Creator> {
    if (createdIn === null) return creator;
    const { database, credentials } = this;
    return database.readAtOnce({ groupId: createdIn }, (tx) => credentials.creator(tx, createdBy));
  }
}
