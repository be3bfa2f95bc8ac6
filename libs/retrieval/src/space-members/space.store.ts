import { Injectable } from '@nestjs/common';
import { NotFound, type SpaceCriteria, type SpaceExpression } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { Scope } from '@acervo/rbac';
import { lacksOperand, operandsOf } from './definition-sql';
import { seesSpace, type SpaceOwnership, visibleSpacesSql } from './space-access';

/** A space as it is stored. Its members are those of `version`. */
export interface SpaceRow extends SpaceOwnership {
  readonly spaceId: number;
  readonly name: string;
  readonly description: string;
  readonly criteria: SpaceCriteria | null;
  readonly expression: SpaceExpression | null;
  readonly version: number;
  /** Above `version` while a refresh runs. */
  readonly requested: number;
  readonly refreshedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A space that is locked, with all that defines it. */
export interface LockedSpace extends SpaceRow {
  /** Documents of the query of the criteria, or of an explicit list. */
  readonly listed: readonly string[] | null;
}

/** What gathers the documents of a space: criteria, two other spaces, or a list. */
export type Definition = Pick<LockedSpace, 'criteria' | 'expression' | 'listed'>;

export interface SpaceDraft extends SpaceOwnership, Definition {
  readonly name: string;
  readonly description: string;
}

/** What a refresh read. */
export interface Gathered {
  readonly version: number;
  /** The snapshot before the first document was read, as text. */
  readonly snapshot: string;
  /** The versions of the operands, for a composed space. */
  readonly operandVersions: readonly number[] | null;
}

/** A space whose last refresh is older than wanted. */
export interface AgedSpace {
  readonly spaceId: number;
  /** Whether a task gathers it now. */
  readonly isRunning: boolean;
}

/** The list is left out: it has thousands of ids, and a refresh alone reads it. */
const ROW = `s.space_id as "spaceId", s.name, s.description, s.type, s.entity_code as "entityCode", s.owner_id as "ownerId",
  s.criteria, s.expression, s.version, s.requested, s.refreshed_at as "refreshedAt",
  s.created_at as "createdAt", s.updated_at as "updatedAt"`;

const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/** The spaces of a group. */
@Injectable()
export class SpaceStore {
  async create(tx: Transaction, draft: SpaceDraft): Promise<number> {
    const { name, description, type, entityCode, ownerId, criteria, expression, listed } = draft;
    const [row] = await tx.query<{ spaceId: number }>(
      `with number as (
         insert into retrieval.space_counter as c (group_id, value) values ($1, 1)
         on conflict (group_id) do update set value = c.value + 1 returning value)
       insert into retrieval.space (group_id, space_id, name, description, type, entity_code, owner_id, criteria,
         expression, listed)
       select $1, value, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9::uuid[] from number
       returning space_id as "spaceId"`,
      [tx.groupId, name, description, type, entityCode, ownerId, json(criteria), json(expression), listed],
    );
    if (row === undefined) throw new Error('A space was created and has no number.');
    return row.spaceId;
  }

  async find(tx: Transaction, spaceId: number): Promise<SpaceRow | undefined> {
    const sql = `select ${ROW} from retrieval.space s where s.group_id = $1 and s.space_id = $2::bigint`;
    return (await tx.prepared<SpaceRow>(sql, [tx.groupId, spaceId]))[0];
  }

  /** @throws NotFound for a space that is absent or invisible */
  async seen(tx: Transaction, scope: Scope, spaceId: number): Promise<SpaceRow> {
    const row = await this.find(tx, spaceId);
    if (row === undefined || !seesSpace(scope, row)) throw new NotFound();
    return row;
  }

  /** Locks a space until the end of the transaction. */
  async lock(tx: Transaction, spaceId: number): Promise<LockedSpace | undefined> {
    const sql = `select ${ROW}, s.listed from retrieval.space s where s.group_id = $1 and s.space_id = $2 for update`;
    return (await tx.query<LockedSpace>(sql, [tx.groupId, spaceId]))[0];
  }

  /**
   * A space and those that it is composed of, as far as they can be gathered and their last refresh is older than so many
   * seconds. Operands come first: a composed space has a higher number.
   */
  aged(tx: Transaction, spaceId: number, seconds: number): Promise<AgedSpace[]> {
    return tx.prepared<AgedSpace>(
      `with recursive part (space_id) as (
         select $2::int
         union
         select o.space_id from part r
         join retrieval.space s on s.group_id = $1 and s.space_id = r.space_id and s.expression is not null
         cross join lateral ${operandsOf('s')})
       select s.space_id as "spaceId", s.requested > s.version as "isRunning" from part r
       join retrieval.space s on s.group_id = $1 and s.space_id = r.space_id
       where coalesce(s.refreshed_at, '-infinity') < now() - make_interval(secs => $3::int)
         and (s.criteria is not null or s.expression is not null) and not ${lacksOperand('s')} order by s.space_id`,
      [tx.groupId, spaceId, seconds],
    );
  }

  /** The spaces that a caller sees below a number, the latest first. */
  list(tx: Transaction, scope: Scope, below: number | null, limit: number): Promise<SpaceRow[]> {
    const visible = visibleSpacesSql(scope, 's', 4);
    return tx.prepared<SpaceRow>(
      `select ${ROW} from retrieval.space s where s.group_id = $1 and ($2::int is null or s.space_id < $2)
         and ${visible.sql} order by s.space_id desc limit $3`,
      [tx.groupId, below, limit, ...visible.params],
    );
  }

  async count(tx: Transaction, scope: Scope): Promise<number> {
    const visible = visibleSpacesSql(scope, 's', 2);
    const sql = `select count(*)::int as total from retrieval.space s where s.group_id = $1 and ${visible.sql}`;
    return (await tx.prepared<{ total: number }>(sql, [tx.groupId, ...visible.params]))[0]?.total ?? 0;
  }

  /** Writes the texts that are given. */
  async describe(tx: Transaction, spaceId: number, name?: string, description?: string): Promise<void> {
    await tx.query(
      `update retrieval.space set name = coalesce($3, name), description = coalesce($4, description), updated_at = now()
       where group_id = $1 and space_id = $2`,
      [tx.groupId, spaceId, name ?? null, description ?? null],
    );
  }

  async define(tx: Transaction, spaceId: number, { criteria, expression, listed }: Definition): Promise<void> {
    await tx.query(
      `update retrieval.space set criteria = $3::jsonb, expression = $4::jsonb, listed = $5::uuid[], updated_at = now()
       where group_id = $1 and space_id = $2`,
      [tx.groupId, spaceId, json(criteria), json(expression), listed],
    );
  }

  /** Stores what the query of the criteria found. */
  async foundByQuery(tx: Transaction, spaceId: number, listed: readonly string[]): Promise<void> {
    await tx.query(`update retrieval.space set listed = $3::uuid[] where group_id = $1 and space_id = $2`, [
      tx.groupId,
      spaceId,
      listed,
    ]);
  }

  async share(tx: Transaction, spaceId: number): Promise<void> {
    await tx.query(
      `update retrieval.space set type = 'ESPACIO', updated_at = now() where group_id = $1 and space_id = $2`,
      [tx.groupId, spaceId],
    );
  }

  /** Lets a refresh write this version. */
  async request(tx: Transaction, spaceId: number, version: number): Promise<void> {
    await tx.query(`update retrieval.space set requested = $3 where group_id = $1 and space_id = $2`, [
      tx.groupId,
      spaceId,
      version,
    ]);
  }

  /** Lets the space be read at a version that is complete. */
  async flip(tx: Transaction, spaceId: number, { version, snapshot, operandVersions }: Gathered): Promise<void> {
    await tx.query(
      `update retrieval.space set version = $3, requested = greatest(requested, $3), refreshed_at = now(),
         refreshed_in = $4::pg_snapshot, operand_versions = $5::int[] where group_id = $1 and space_id = $2`,
      [tx.groupId, spaceId, version, snapshot, operandVersions],
    );
  }

  async delete(tx: Transaction, spaceId: number): Promise<void> {
    await tx.query(`delete from retrieval.space where group_id = $1 and space_id = $2`, [tx.groupId, spaceId]);
  }
}
