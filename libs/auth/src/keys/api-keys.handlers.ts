import { Injectable } from '@nestjs/common';
import {
  type ApiKeyList,
  type ApiKeyName,
  type CreateApiKey,
  createApiKey,
  type CreatedApiKey,
  Forbidden,
  listApiKeys,
  MOST_LISTED_KEYS,
  NotFound,
  type Empty,
  revokeApiKey,
  type Confirmation,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import { levelOf, reaches, requirements, type Scope } from '@acervo/rbac';
import { wholeList } from '../kernel/auth.errors';
import { ApiKeyStore, type OwnedRole } from './api-key.store';
import { parseKey } from './key-format';
import { KeyStore } from './key.store';

/** Administrators see, create and revoke keys of others with one of these screens. */
const keysOfOthers = requirements.administrators('API_KEYS', 'MANAGE_USERS');
const administers = (scope: Scope): boolean => reaches(scope, keysOfOthers);

interface Fixed {
  readonly fixedEntity: string | null;
  readonly fixedArea: string | null;
}

/** Keys for programs: created once, listed without their secrets, revoked at once. */
@Injectable()
export class ApiKeysHandlers {
  constructor(
    private readonly database: Database,
    private readonly store: ApiKeyStore,
    private readonly keys: KeyStore,
  ) {}

  @Handles(listApiKeys)
  async list(scope: Scope, _input: Empty): Promise<ApiKeyList> {
    const owner = administers(scope) ? null : scope.userId;
    const keys = await this.database.read(scope, (tx) => this.store.list(tx, owner));
    return { items: wholeList(keys, MOST_LISTED_KEYS, 'TOO_MANY_KEYS') };
  }

  /** A key never has more rights than its owner or its creator, now or later. */
  @Handles(createApiKey)
  async create(scope: Scope, input: CreateApiKey, context: WriteContext): Promise<CreatedApiKey> {
    const other = input.ownerCode !== undefined && input.ownerCode !== scope.userCode;
    if (other && !administers(scope))
      throw new Forbidden('A key for another user needs an administrator with API_KEYS or MANAGE_USERS.');
    return context.write(async (tx) => {
      const owned = await this.roleOf(tx, scope, input);
      context.concerns({ subject: owned.userCode, target: `role:${owned.roleCode}` });
      const fixed = await this.fixedTo(tx, owned.userId, input);
      const apiKey = await this.keys.create(tx, {
        ...{ userId: owned.userId, roleId: owned.roleId, name: input.name, createdBy: scope.userId },
        createdIn: scope.homeGroupId ?? null,
        ...fixed,
      });
      const item = await this.store.one(tx, parseKey(apiKey)?.keyId ?? '');
      context.concerns({ target: `api_key:${item.keyId}` });
      return { ...item, apiKey };
    });
  }

  /** @throws NotFound for a key that the caller may not revoke, exactly as for a missing one. */
  @Handles(revokeApiKey)
  async revoke(scope: Scope, { keyId }: ApiKeyName, context: WriteContext): Promise<Confirmation> {
    const owner = administers(scope) ? null : scope.userId;
    await context.write(async (tx) => {
      const subject = await this.store.revoke(tx, keyId, owner);
      if (subject === undefined) throw new NotFound();
      context.concerns({ subject });
    });
    return { message: 'Clave revocada.' };
  }

  private async roleOf(tx: Transaction, scope: Scope, { ownerCode, roleCode }: CreateApiKey): Promise<OwnedRole> {
    const roles = await this.store.roles(tx, ownerCode === undefined ? { id: scope.userId } : { code: ownerCode });
    const found = roleCode === undefined ? roles[0] : roles.find((owned) => owned.roleCode === roleCode);
    if (found === undefined) throw new NotFound();
    if (levelOf(found.profile) > levelOf(scope.profile))
      throw new Forbidden('A key reaches no further than the user who creates it.');
    return found;
  }

  /** @throws NotFound for an entity or area that the owner does not have. */
  private async fixedTo(tx: Transaction, userId: string, { entityCode, areaCode }: CreateApiKey): Promise<Fixed> {
    const path = areaCode === undefined ? undefined : await this.store.areaPath(tx, areaCode);
    if (areaCode !== undefined && path === undefined) throw new NotFound();
    const entity = entityCode ?? path?.entity;
    if (entity === undefined) return { fixedEntity: null, fixedArea: null };
    const owned = await this.store.entityOf(tx, userId, entity);
    const within = owned?.area == null || path === undefined || path.above.includes(owned.area);
    if (owned === undefined || !within || (path !== undefined && path.entity !== entity)) throw new NotFound();
    return { fixedEntity: entity, fixedArea: areaCode ?? null };
  }
}
