import { Injectable } from '@nestjs/common';
import { Unauthorized } from '@acervo/contracts';
import { Database, type TenantScope } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { homeOf } from '../kernel/home';
import { type SessionRecord, SessionStore } from './session.store';
import { CredentialStore, type Holder } from './credential.store';

/** A session's holder in the group that it acts in. */
export interface SessionHolder {
  readonly group: TenantScope;
  readonly holder: Holder;
}

/** Reads the current holder of a credential. */
@Injectable()
export class Holders {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionStore,
    private readonly credentials: CredentialStore,
  ) {}

  /** @throws Unauthorized for a credential that no longer exists. */
  async of(scope: Scope): Promise<Holder> {
    const found = scope.credential === 'api_key' ? await this.key(scope) : await this.session(scope);
    if (found === undefined) throw new Unauthorized();
    return found;
  }

  /** A SYSTEM user sees the whole of its chosen group. For all other users a focus of another group has no meaning. */
  async inActiveGroup(record: SessionRecord, home: TenantScope): Promise<SessionHolder> {
    const { activeGroupId, profile } = record;
    if (activeGroupId === null) return { group: home, holder: record };
    if (profile !== 'SISTEMA') return { group: home, holder: { ...record, activeEntity: null, activeArea: null } };
    const group = { groupId: activeGroupId };
    const guest = await this.database.readAtOnce(group, (tx) => this.sessions.guest(tx));
    if (guest === undefined) throw new Unauthorized();
    return { group, holder: { ...record, ...guest } };
  }

  private key(scope: Scope): Promise<Holder | undefined> {
    return this.database.readAtOnce(scope, (tx) => this.credentials.key(tx, scope.credentialId));
  }

  private async session(scope: Scope): Promise<Holder | undefined> {
    const home = homeOf(scope);
    const record = await this.database.readAtOnce(home, (tx) => this.sessions.record(tx, scope.credentialId));
    return record && (await this.inActiveGroup(record, home)).holder;
  }
}
