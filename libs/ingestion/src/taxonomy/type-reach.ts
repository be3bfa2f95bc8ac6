import { ContextConflict, Forbidden, NotFound } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';

/**
 * Which types an administrator reaches: all of the group, whichever documents they read. A key that is fixed to an
 * entity sees the types of the group, and changes those of its entity alone.
 */
export class TypeReach {
  private constructor(
    private readonly isFixed: boolean,
    private readonly isAreaOnly: boolean,
    private readonly ownEntities: readonly string[],
  ) {}

  /** @throws ContextConflict under a focus outside of the permission, until it is released or replaced. */
  static of({ focusIsStale, isFixed, entities, authorizedAreaRoot }: Scope): TypeReach {
    if (focusIsStale === true) throw new ContextConflict();
    return new TypeReach(isFixed === true, authorizedAreaRoot !== null, entities);
  }

  /** The entities within reach; null for all of the group. */
  get entities(): readonly string[] | null {
    return this.isFixed ? this.ownEntities : null;
  }

  /** @throws NotFound for an entity out of reach; Forbidden for a part of the group or of an entity under a fixed key. */
  assertChanges(entityCode: string | null): void {
    if (!this.isFixed) return;
    if (entityCode === null)
      throw new Forbidden('The type belongs to the whole group; the key is fixed to a part of it.');
    if (!this.ownEntities.includes(entityCode)) throw new NotFound();
    if (this.isAreaOnly)
      throw new Forbidden('The type belongs to the whole entity; the key is fixed to an area of it.');
  }
}
