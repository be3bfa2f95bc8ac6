import { Injectable } from '@nestjs/common';
import {
  type Credential,
  MOST_ENTITIES,
  renewScope,
  type ScopeClaims,
  type ScopeToken,
  TooManyEntities,
  type VerifiedScope,
  verifyCredential,
} from '@acervo/contracts';
import { Handles, ScopeMint, ScopeVerifier } from '@acervo/platform-calls';
import type { Anonymous } from '@acervo/rbac';
import { parseKey } from '../keys/key-format';
import { AccessTokens } from '../tokens/access-tokens';
import { KeyUses } from './key-uses';
import { KeyVerifier } from './key-verifier';
import { RequestLimits } from './request-limits';
import { SessionVerifier } from './session-verifier';

/** Turns credentials into scopes, again on each request: a revoked right is gone on the next one. */
@Injectable()
export class VerificationHandlers {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly sessions: SessionVerifier,
    private readonly keys: KeyVerifier,
    private readonly uses: KeyUses,
    private readonly mint: ScopeMint,
    private readonly verifier: ScopeVerifier,
    private readonly limits: RequestLimits,
  ) {}

  @Handles(verifyCredential)
  async verify(
    _scope: Anonymous,
    { bearer, owingFactor = false, servesApiKeys = true }: Credential,
  ): Promise<VerifiedScope> {
    const key = parseKey(bearer);
    const claims =
      key === undefined
        ? await this.sessions.claims(await this.tokens.verify(bearer), owingFactor)
        : await this.keys.claims(key);
    if (key === undefined || servesApiKeys) await this.limits.admit(claims);
    if (key !== undefined && servesApiKeys) this.uses.note(key.groupId, key.keyId);
    return this.minted(claims);
  }

  @Handles(renewScope)
  async renew(_scope: Anonymous, { token }: ScopeToken): Promise<VerifiedScope> {
    const old = await this.verifier.renewable(token);
    const { groupId, credential, credentialId, userId, assurance } = old;
    if (credential === 'api_key') return this.minted(await this.keys.renewed(groupId, credentialId));
    const access = { userId, groupId: old.homeGroupId ?? groupId, sessionId: credentialId, assurance };
    return this.minted(await this.sessions.claims(access, false));
  }

  private async minted(claims: ScopeClaims): Promise<VerifiedScope> {
    if (claims.entities.length > MOST_ENTITIES) throw new TooManyEntities();
    return { claims, token: await this.mint.mint(claims) };
  }
}
