import {
  type Credential,
  MOST_ENTITIES,
  renewScope,
  type ScopeClaims,
  type ScopeToken,
  TooManyEntities,
  Unauthorized,
  type VerifiedScope,
  verifyCredential,
} from '@acervo/contracts';
import { Handles, type ScopeMint, type ScopeVerifier } from '@acervo/platform-calls';
import type { Database } from '@acervo/platform-database';
import type { Anonymous } from '@acervo/rbac';
import { type ApiKeyParts, parseKey } from '../keys/key-format';
import type { Peppers } from '../keys/key-hash';
import type { AccessTokens } from '../tokens/access-tokens';
import type { FocusReader } from '../focus/focus-reader';
import { assertUsable, claimsOf } from './claims';
import type { CredentialStore, KeyRecord } from './credential.store';
import type { SessionVerifier } from './session-verifier';

export interface VerificationParts {
  readonly database: Database;
  readonly credentials: CredentialStore;
  readonly peppers: Peppers;
  readonly mint: ScopeMint;
  readonly verifier: ScopeVerifier;
  readonly tokens: AccessTokens;
  readonly sessions: SessionVerifier;
  readonly focuses: FocusReader;
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
  async verify(_scope: Anonymous, { bearer, owingFactor = false }: Credential): Promise<VerifiedScope> {
    const key = parseKey(bearer);
    return this.minted(
      key === undefined
        ? await this.parts.sessions.claims(await this.parts.tokens.verify(bearer), owingFactor)
        : await this.claimsOfKey(key),
    );
  }

  @Handles(renewScope)
  async renew(_scope: Anonymous, { token }: ScopeToken): Promise<VerifiedScope> {
    const old = await this.parts.verifier.renewable(token);
    const { groupId, credential, credentialId, userId, assurance } = old;
    if (credential === 'api_key')
      return this.minted(await this.claimsFor(groupId, credentialId, (record) => record !== undefined));
    const access = { userId, groupId: old.homeGroupId ?? groupId, sessionId: credentialId, assurance };
    return this.minted(await this.parts.sessions.claims(access, false));
  }

  private async minted(claims: ScopeClaims): Promise<VerifiedScope> {
    if (claims.entities.length > MOST_ENTITIES) throw new TooManyEntities();
    return { claims, token: await this.parts.mint.mint(claims) };
  }

  private claimsOfKey({ groupId, keyId, secret }: ApiKeyParts): Promise<ScopeClaims> {
    const { peppers } = this.parts;
    return this.claimsFor(groupId, keyId, (record) => {
      const genuine = peppers.matches(
        secret,
        record?.secretHash ?? this.nobody,
        record?.pepperVersion ?? peppers.version,
      );
      return genuine && record !== undefined;
    });
  }

  /** The group of a locator counts as known once the secret fits; until then it only chooses whose rows are seen. */
  private async claimsFor(groupId: string, keyId: string, proves: Proof): Promise<ScopeClaims> {
    const { database, credentials, focuses } = this.parts;
    const record = await database.read({ groupId }, (tx) => credentials.key(tx, keyId));
    if (!proves(record) || record === undefined) throw new Unauthorized();
    assertUsable({ ...record, creatorProfile: await this.creatorLevel(record) });
    const bearer = { credential: 'api_key' as const, credentialId: keyId, groupId, assurance: 1 };
    return claimsOf(bearer, record, await focuses.resolve(bearer, record));
  }

  /** What the creator of a key may do now; a creator from another group is looked up there. */
  private async creatorLevel({
    createdIn,
    createdBy,
    creatorProfile,
  }: KeyRecord): Promise<KeyRecord['creatorProfile']> {
    if (createdIn === null) return creatorProfile;
    const { database, credentials } = this.parts;
    return database.read({ groupId: createdIn }, (tx) => credentials.level(tx, createdBy));
  }
}
