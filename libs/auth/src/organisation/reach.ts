import { ContextConflict, Forbidden, InvalidContext, NotFound } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { levelOf, type Scope } from '@acervo/rbac';

/** An entity that a credential has: whole, or from one area down. */
interface Grant {
  readonly entity: string;
  readonly area: string | null;
}

interface Row {
  readonly grants: readonly Grant[];
  readonly fixedEntity: string | null;
  readonly fixedArea: string | null;
}

const ROW = `
select coalesce((select json_agg(json_build_object('entity', e.entity_code, 'area', e.area_code) order by e.entity_code)
    from auth.user_entity e where e.group_id = $1 and e.user_id = $2), '[]') as grants,
  k.fixed_entity as "fixedEntity", k.fixed_area as "fixedArea"
from (select 1) one left join auth.api_key k on k.group_id = $1 and k.key_id = $3`;

/**
 * What of the organisation a credential reaches. Administrators reach every entity and area of the group, whichever of
 * them they read documents of. All other users reach the entities they have. A key that is fixed to an entity or an
 * area reaches only that part, for any owner. A stored focus that can be released restricts nothing.
 */
export class Reach {
  private constructor(
    private readonly scope: Scope,
    private readonly grants: readonly Grant[],
    /** Whether what belongs to the group as a whole is within reach. */
    readonly wholeGroup: boolean,
  ) {}

  /** @throws ContextConflict under a focus outside of the permission, until it is released or replaced. */
  static async of(tx: Transaction, scope: Scope): Promise<Reach> {
    if (scope.focusIsStale === true) throw new ContextConflict();
    const key = scope.credential === 'api_key' ? scope.credentialId : null;
    const [row] = await tx.query<Row>(ROW, [tx.groupId, scope.userId, key]);
    const { grants = [], fixedEntity = null, fixedArea = null } = row ?? {};
    const isFixed = fixedEntity !== null || fixedArea !== null;
    const reached = grants
      .filter(({ entity }) => fixedEntity === null || entity === fixedEntity)
      .map(({ entity, area }) => ({ entity, area: fixedArea ?? area }));
    return new Reach(scope, reached, !isFixed && levelOf(scope.profile) >= levelOf('ADMINISTRADOR'));
  }

  /** The entities within reach, whole or from one area down; null for all of the group. */
  get parts(): readonly Grant[] | null {
    return this.wholeGroup ? null : this.grants;
  }

  /** The area from which down an entity is reached; null for the whole of it. @throws NotFound for any other entity. */
  within(entityCode: string): string | null {
    if (this.wholeGroup) return null;
    const found = this.grants.find(({ entity }) => entity === entityCode);
    if (found === undefined) throw new NotFound();
    return found.area;
  }

  /** The entity of a request: the named one, else the one in focus, else the only one within reach. */
  resolve(named: string | undefined): string {
    if (named !== undefined) return named;
    const entity = this.scope.activeEntity ?? (this.grants.length === 1 ? this.grants[0]?.entity : undefined);
    if (entity === undefined) throw new InvalidContext();
    if (!this.wholeGroup && !this.grants.some((each) => each.entity === entity)) throw new ContextConflict();
    return entity;
  }

  /** @throws Forbidden where only a part of the group is within reach. */
  assertWholeGroup(): void {
    if (!this.wholeGroup) throw new Forbidden('This belongs to the whole group; the credential reaches a part of it.');
  }

  /** @throws NotFound for an entity out of reach; Forbidden where only an area of it is within reach. */
  assertWholeEntity(entityCode: string): void {
    if (this.within(entityCode) !== null)
      throw new Forbidden('This belongs to the whole entity; the credential reaches an area of it.');
  }
}
