import { type ScopeClaims, SecondFactorOwed, Unauthorized } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import type { FocusReader } from '../focus/focus-reader';
import type { SessionRecord, SessionStore } from '../sessions/session.store';
import type { AccessClaims } from '../tokens/access-tokens';
import { claimsOf } from './claims';
import type { Holders } from './holders';

/** What a session may do now. Its row, its user and the user's roles are read on each request. */
export class SessionVerifier {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionStore,
    private readonly holders: Holders,
    private readonly focuses: FocusReader,
  ) {}

  /**
   * @throws Unauthorized when the session, its user or the user's role is gone; SecondFactorOwed when the user has a
   * verified factor, now, and the token was not issued for it.
   */
  async claims(access: AccessClaims, owingFactor: boolean): Promise<ScopeClaims> {
    const record = await this.record(access);
    const assurance = Math.min(access.assurance, record.assurance);
    if (record.hasFactor && assurance < 2 && !owingFactor) throw new SecondFactorOwed();
    const home = { groupId: access.groupId };
    const { group, holder } = await this.holders.inActiveGroup(record, home);
    const bearer = {
      credential: 'session' as const,
      credentialId: access.sessionId,
      groupId: group.groupId,
      ...(group === home ? {} : { homeGroupId: home.groupId }),
      assurance,
    };
    return claimsOf(bearer, holder, await this.focuses.resolve(group, holder));
  }

  private async record({ groupId, sessionId, userId }: AccessClaims): Promise<SessionRecord> {
    const record = await this.database.read({ groupId }, (tx) => this.sessions.record(tx, sessionId));
    if (record === undefined || record.over || record.userId !== userId) throw new Unauthorized();
    if (record.userState !== 'ACTIVO' || record.profile === null) throw new Unauthorized();
    return record;
  }
}
