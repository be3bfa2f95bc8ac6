import { Injectable } from '@nestjs/common';
import { type ScopeClaims, SecondFactorOwed, Unauthorized } from '@acervo/contracts';
import { Database } from '@acervo/platform-database';
import { FocusReader } from '../focus/focus-reader';
import { type SessionRecord, SessionStore } from '../credentials/session.store';
import type { AccessClaims } from '../tokens/access-token';
import { claimsOf } from './claims';
import { Holders } from '../credentials/holders';

/** The current rights of a session. Its row, its user and the user's roles are read on each request. */
@Injectable()
export class SessionVerifier {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionStore,
    private readonly holders: Holders,
    private readonly focuses: FocusReader,
  ) {}

  /**
   * @throws Unauthorized when the session, its user or the user's role no longer exists; SecondFactorOwed when the
   * user now has a verified factor that the token was not issued for.
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
    const record = await this.database.readAtOnce({ groupId }, (tx) => this.sessions.record(tx, sessionId));
    if (record === undefined || record.over || record.userId !== userId) throw new Unauthorized();
    if (record.userState !== 'ACTIVO' || record.profile === null) throw new Unauthorized();
    return record;
  }
}
