import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { DirectoryDatabase } from '../databases/databases';

export interface GroupOfContext {
  readonly groupName: string;
  readonly entities: readonly { readonly code: string; readonly name: string }[];
}

/** What a context shows, and the choices it offers. */
@Injectable()
export class ContextStore {
  constructor(private readonly directory: DirectoryDatabase) {}

  async group(tx: Transaction, entities: readonly string[]): Promise<GroupOfContext> {
    const [row] = await tx.query<GroupOfContext>(
      `select g.name as "groupName", coalesce((select json_agg(json_build_object('code', e.code, 'name', e.name) order by e.code)
         from auth.entity e where e.group_id = g.group_id and e.code = any($2::text[])), '[]') as entities
       from auth.tenant_group g where g.group_id = $1`,
      [tx.groupId, entities],
    );
    return row ?? { groupName: '', entities: [] };
  }

  async application(tx: Transaction, sessionId: string): Promise<string | null> {
    const [row] = await tx.query<{ code: string | null }>(
      `select active_application as code from auth.session where group_id = $1 and session_id = $2`,
      [tx.groupId, sessionId],
    );
    return row?.code ?? null;
  }

  /** The id of a group by its code. The caller checks the permission. */
  async groupId(code: string): Promise<string | undefined> {
    const [row] = await this.directory.ungrouped((tx) =>
      tx.prepared<{ groupId: string }>(`select group_id as "groupId" from auth.group_directory where code = $1`, [
        code,
      ]),
    );
    return row?.groupId;
  }

  /** The entity that a session of a SYSTEM user begins with in another group. */
  async firstEntity(tx: Transaction): Promise<string | null> {
    const [row] = await tx.query<{ code: string }>(
      `select code from auth.entity where group_id = $1 order by code limit 1`,
      [tx.groupId],
    );
    return row?.code ?? null;
  }

  /** Whether a session with this access may work with an application: one of its functions belongs to it. */
  async hasApplication(tx: Transaction, code: string, functions: readonly string[]): Promise<boolean> {
    const rows = await tx.query(
      `select from auth.global_application a where a.code = $1 and (
         exists (select from auth.global_function_application f where f.application_code = a.code and f.function_code = any($2::text[]))
         or not exists (select from auth.global_function_application f where f.application_code = a.code))`,
      [code, functions],
    );
    return rows.length > 0;
  }

  async setGroup(tx: Transaction, sessionId: string, groupId: string, entity: string | null): Promise<void> {
    await tx.query(
      `update auth.session set active_group_id = nullif($3::uuid, group_id), active_entity = $4, active_area = null
       where group_id = $1 and session_id = $2`,
      [tx.groupId, sessionId, groupId, entity],
    );
  }

  async setApplication(tx: Transaction, sessionId: string, code: string): Promise<void> {
    await tx.query(`update auth.session set active_application = $3 where group_id = $1 and session_id = $2`, [
      tx.groupId,
      sessionId,
      code,
    ]);
  }
}
