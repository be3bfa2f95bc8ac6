import {
  type Credential,
  renewScope,
  type ScopeClaims,
  type ScopeToken,
  Unauthorized,
  type VerifiedScope,
  verifyCredential,
} from '@acervo/contracts';
import { Handles, type ScopeMint, type ScopeVerifier } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import type { Anonymous } from '@acervo/rbac';
import { parseKey } from '../keys/key-format';
import type { Peppers } from '../keys/key-hash';
import { assertUsable, claimsOf, focusOf, locationRootsOf } from './claims';
import type { CredentialStore, KeyRecord } from './credential.store';

export interface VerificationParts {
  readonly database: Database;
  readonly credentials: CredentialStore;
  readonly peppers: Peppers;
  readonly mint: ScopeMint;
  readonly verifier: ScopeVerifier;
}

type Proof = (record: KeyRecord | undefined) => boolean;

/** Turns credentials into scopes, anew on each request: what was taken away a moment ago is gone. */
export class VerificationService {
  /** Compared with when there is no key, so that an unknown key takes as long as a wrong one. */
  private readonly nobody: Buffer;

  constructor(private readonly parts: VerificationParts) {
    this.nobody = parts.peppers.hash('nobody');
  }

  @Handles(verifyCredential)
  async verify(_scope: Anonymous, { bearer }: Credential): Promise<VerifiedScope> {
    const key = parseKey(bearer);
    if (key === undefined) throw new Unauthorized();
    const { peppers } = this.parts;
    return this.scopeFor(key.groupId, key.keyId, (record) => {
      const genuine = peppers.matches(
        key.secret,
        record?.secretHash ?? this.nobody,
        record?.pepperVersion ?? peppers.version,
      );
      return genuine && record !== undefined;
    });
  }

  @Handles(renewScope)
  async renew(_scope: Anonymous, { token }: ScopeToken): Promise<VerifiedScope> {
    const { groupId, credential, credentialId } = await this.parts.verifier.renewable(token);
    if (credential !== 'api_key') throw new Unauthorized();
    return this.scopeFor(groupId, credentialId, (record) => record !== undefined);
  }

  private async scopeFor(groupId: string, keyId: string, proves: Proof): Promise<VerifiedScope> {
    const claims = await this.claimsFor(groupId, keyId, proves);
    return { claims, token: await this.parts.mint.mint(claims) };
  }

  /** The group of a locator counts as known once the secret fits; until then it only chooses whose rows are seen. */
  private claimsFor(groupId: string, keyId: string, proves: Proof): Promise<ScopeClaims> {
    const { database, credentials } = this.parts;
    return database.read({ groupId }, async (tx) => {
      const record = await credentials.key(tx, keyId);
      if (!proves(record) || record === undefined) throw new Unauthorized();
      assertUsable(record);
      const focus = focusOf(record);
      const reach = focus.effectiveArea === null ? null : await credentials.reach(tx, focus.effectiveArea);
      return claimsOf(groupId, keyId, record, focus, locationRootsOf(focus, reach));
    });
  }
}
