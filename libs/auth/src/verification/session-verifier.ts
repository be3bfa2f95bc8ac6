import { type ScopeClaims, SecondFactorOwed, Unauthorized } from '@acervo/contracts';
import type { Database } from '@acervo/platform-database';
import type { SessionRecord, SessionStore } from '../sessions/session.store';
import type { AccessClaims } from '../tokens/access-tokens';
import { claimsOf, focusOf, locationRootsOf } from './claims';
import type { CredentialStore, Holder } from './credential.store';

/** What a session may do now. Its row, its user and the user's roles are read on each request. */
export class SessionVerifier {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionStore,
    private readonly credentials: CredentialStore,
  ) {}

  /**
   * @throws Unauthorized when the session, its user or the user's role is gone; SecondFactorOwed when the user has a
   * verified factor, now, and the token was not issued for it.
   */
  async claims(access: AccessClaims, owingFactor: boolean): Promise<ScopeClaims> {
    const record = await this.record(access);
    const assurance = Math.min(access.assurance, record.assurance);
    if (record.hasFactor && assurance < 2 && !owingFactor) throw new SecondFactorOwed();
    const guest = record.profile === 'SISTEMA' ? record.activeGroupId : null;
    const groupId = guest ?? access.groupId;
    const holder = guest === null ? record : await this.asGuest(record, guest);
    const bearer = {
      credential: 'session' as const,
      credentialId: access.sessionId,
      groupId,
      ...(guest === null ? {} : { homeGroupId: access.groupId }),
      assurance,
    };
    return this.focused(bearer, holder);
  }

  private async record({ groupId, sessionId, userId }: AccessClaims): Promise<SessionRecord> {
    const record = await this.database.read({ groupId }, (tx) => this.sessions.record(tx, sessionId));
    if (record === undefined || record.over || record.userId !== userId) throw new Unauthorized();
    if (record.userState !== 'ACTIVO' || record.profile === null) throw new Unauthorized();
    return record;
  }

  /** A SYSTEM user sees the whole of the group it chose. */
  private async asGuest(record: SessionRecord, groupId: string): Promise<Holder> {
    const group = await this.database.read({ groupId }, (tx) => this.sessions.guest(tx));
    if (group === undefined) throw new Unauthorized();
    const known = group.grants.some(({ entity }) => entity === record.activeEntity);
    return { ...record, ...group, activeEntity: known ? record.activeEntity : null };
  }

  private async focused(bearer: Parameters<typeof claimsOf>[0], holder: Holder): Promise<ScopeClaims> {
    const focus = focusOf(holder);
    const area = focus.effectiveArea;
    const reach = area === null ? null : await this.database.read(bearer, (tx) => this.credentials.reach(tx, area));
    return claimsOf(bearer, holder, focus, locationRootsOf(focus, reach));
  }
}
