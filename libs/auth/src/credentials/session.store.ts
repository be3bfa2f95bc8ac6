import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { isPresent } from '../kernel/account-state';
import type { Holder } from './credential.store';
import { functionsOf, seenBy } from '../kernel/role-sql';

/** A session with everything that decides its current rights, read in one statement. */
export interface SessionRecord extends Holder {
  readonly over: boolean;
  readonly assurance: number;
  readonly userState: string;
  /** The group that a SYSTEM user acts in; null for the user's own. */
  readonly activeGroupId: string | null;
  readonly hasFactor: boolean;
}

/** Days that a session lasts while it is renewed, and that a refresh token is valid. */
const SESSION_DAYS = 30;
const REFRESH_DAYS = 7;

const RECORD = `
select s.expires_at <= now() or s.ended_at is not null as over, s.assurance, s.active_group_id as "activeGroupId",
  s.active_entity as "activeEntity", s.active_area as "activeArea", null as "fixedEntity", null as "fixedArea",
  g.code as "groupCode", u.user_id as "userId", u.email as "userCode", u.name as "userName", u.state as "userState",
  r.code as "roleCode", r.profile,
  ${functionsOf('s.group_id', 'r')} as functions,
  coalesce((select json_agg(json_build_object('entity', e.entity_code, 'area', e.area_code) order by e.entity_code)
    from auth.user_entity e where e.group_id = s.group_id and e.user_id = s.user_id), '[]') as grants,
  exists (select from auth.factor f where f.group_id = s.group_id and f.user_id = s.user_id
    and f.verified_at is not null) as "hasFactor"
from auth.session s
join auth.app_user u on u.group_id = s.group_id and u.user_id = s.user_id
join auth.tenant_group g on g.group_id = s.group_id
left join lateral (select l.role_id, l.code, l.profile from auth.user_role ur
  join auth.role_list l on l.role_id = ur.role_id and ${seenBy('s.group_id', 'l')}
  where ur.group_id = s.group_id and ur.user_id = s.user_id order by ur.position, ur.role_id limit 1) r on true
where s.group_id = $1 and s.session_id = $2`;

/** The area that a user ($2) starts in, while the user has it within that entity. */
const START_AREA = `
  (with recursive up as (
     select a.code, a.parent_code from auth.area a
     where a.group_id = $1 and a.code = u.default_area and a.entity_code = u.default_entity
     union select a.code, a.parent_code from auth.area a join up on a.group_id = $1 and a.code = up.parent_code)
   select u.default_area from auth.user_entity e
   where e.group_id = $1 and e.user_id = $2 and e.entity_code = u.default_entity
     and exists (select from up where e.area_code is null or up.code = e.area_code))`;

const OPEN = `
insert into auth.session (group_id, user_id, expires_at, active_group_id, active_area, active_entity, active_application)
select u.group_id, u.user_id, now() + interval '${SESSION_DAYS} days', nullif(u.default_group_id, u.group_id),
  case when u.default_group_id is null or u.default_group_id = u.group_id then ${START_AREA} end,
  coalesce(u.default_entity, case when u.default_group_id is null or u.default_group_id = u.group_id then
    (select e.entity_code from auth.user_entity e where e.group_id = u.group_id and e.user_id = u.user_id
     order by e.entity_code limit 1) end), u.default_application
from auth.app_user u where u.group_id = $1 and u.user_id = $2 and ${isPresent('u')}
returning session_id as "sessionId"`;

/** Sessions of one user at a time: each login stores one for a month, and a script logs in again and again. */
export const MOST_SESSIONS = 50;

/** Deletes the oldest sessions of a user beyond the bound, with their tokens; identifiers grow with time. */
const CLOSE_OLDEST = `
delete from auth.session where group_id = $1 and session_id in (
  select session_id from auth.session where group_id = $1 and user_id = $2
  order by session_id desc offset ${MOST_SESSIONS})`;

/** Another group as a SYSTEM user sees it from within: its code and all its entities. */
const GUEST = `select g.code as "groupCode",
  coalesce((select json_agg(json_build_object('entity', e.code, 'area', null) order by e.code) from auth.entity e
    where e.group_id = g.group_id), '[]') as grants
from auth.tenant_group g where g.group_id = $1`;

export interface StoredRefresh {
  readonly hash: Buffer;
  readonly pepperVersion: number;
  readonly sessionId: string;
  readonly userId: string;
  readonly assurance: number;
  readonly used: boolean;
  readonly over: boolean;
}

const REFRESH = `
select t.hash, t.pepper_version as "pepperVersion", t.session_id as "sessionId", s.user_id as "userId", s.assurance,
  t.used_at is not null as used,
  t.expires_at <= now() or s.expires_at <= now() or s.ended_at is not null or u.state <> 'ACTIVO' as over
from auth.refresh_token t join auth.session s on s.group_id = t.group_id and s.session_id = t.session_id
join auth.app_user u on u.group_id = s.group_id and u.user_id = s.user_id
where t.group_id = $1 and t.token_id = $2`;

/** Sessions of a group with their refresh tokens. */
@Injectable()
export class SessionStore {
  async record(tx: Transaction, sessionId: string): Promise<SessionRecord | undefined> {
    const [row] = await tx.prepared<SessionRecord>(RECORD, [tx.groupId, sessionId]);
    return row;
  }

  async guest(tx: Transaction): Promise<Pick<Holder, 'groupCode' | 'grants'> | undefined> {
    const [row] = await tx.prepared<Pick<Holder, 'groupCode' | 'grants'>>(GUEST, [tx.groupId]);
    return row;
  }

  /** Opens a session; the oldest one of the user ends where there are more than `MOST_SESSIONS`. */
  async open(tx: Transaction, userId: string): Promise<string> {
    const [row] = await tx.query<{ sessionId: string }>(OPEN, [tx.groupId, userId]);
    if (row === undefined) throw new Error('The user of the session does not exist.');
    await tx.query(CLOSE_OLDEST, [tx.groupId, userId]);
    return row.sessionId;
  }

  async end(tx: Transaction, sessionId: string): Promise<void> {
    await tx.query(
      `update auth.session set ended_at = now() where group_id = $1 and session_id = $2 and ended_at is null`,
      [tx.groupId, sessionId],
    );
  }

  /** Ends every session of a user, except a named one. */
  async endAll(tx: Transaction, userId: string, except: string | null = null): Promise<void> {
    await tx.query(
      `update auth.session set ended_at = now()
       where group_id = $1 and user_id = $2 and ended_at is null and session_id is distinct from $3`,
      [tx.groupId, userId, except],
    );
  }

  /** Lifts a session and spends its refresh tokens: who has one of them has not shown the second factor. */
  async elevate(tx: Transaction, sessionId: string): Promise<void> {
    await tx.query(`update auth.session set assurance = 2 where group_id = $1 and session_id = $2`, [
      tx.groupId,
      sessionId,
    ]);
    await tx.query(
      `update auth.refresh_token set used_at = now() where group_id = $1 and session_id = $2 and used_at is null`,
      [tx.groupId, sessionId],
    );
  }

  /** A renewal and an elevation of one session are serialised: no token of the former outlives the latter. */
  async lock(tx: Transaction, sessionId: string): Promise<void> {
    await tx.query(`select from auth.session where group_id = $1 and session_id = $2 for no key update`, [
      tx.groupId,
      sessionId,
    ]);
  }

  async addRefresh(tx: Transaction, id: string, sessionId: string, hash: Buffer, version: number): Promise<void> {
    await tx.query(
      `insert into auth.refresh_token (group_id, token_id, session_id, hash, pepper_version, expires_at)
       values ($1, $2, $3, $4, $5, now() + interval '${REFRESH_DAYS} days')`,
      [tx.groupId, id, sessionId, hash, version],
    );
  }

  async refresh(tx: Transaction, tokenId: string): Promise<StoredRefresh | undefined> {
    const [row] = await tx.query<StoredRefresh>(REFRESH, [tx.groupId, tokenId]);
    return row;
  }

  /** Spends a refresh token; false when a concurrent request spent it first. */
  async spend(tx: Transaction, tokenId: string): Promise<boolean> {
    const rows = await tx.query(
      `update auth.refresh_token set used_at = now() where group_id = $1 and token_id = $2 and used_at is null returning token_id`,
      [tx.groupId, tokenId],
    );
    return rows.length > 0;
  }
}
