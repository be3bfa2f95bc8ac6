import { Text, Code, Day, ListOf, Moment, TypedAddress } from '../fields';
import { call } from '../calls';
import { Empty } from '../empty';
import { Confirmation } from './login';

const ownedByAuth = { owner: 'auth', callers: ['auth'], scope: 'user' } as const;

export class CreateApiKey {
  @Text({ min: 1, max: 120, wire: 'nombre', description: 'What the key is for' }) readonly name!: string;
  @Code({
    names: 'role',
    optional: true,
    wire: 'rol_solicitado',
    description: "One of the owner's roles; its main one where not said",
  })
  readonly roleCode?: string;
  @TypedAddress({
    names: 'user',
    min: 3,
    optional: true,
    wire: 'codigo_usuario_destino',
    description: 'Owner; administrators only',
  })
  readonly ownerCode?: string;
  @Code({ names: 'entity', optional: true, wire: 'codigo_entidad', description: 'Entity that the key is fixed to' })
  readonly entityCode?: string;
  @Code({ names: 'area', optional: true, wire: 'codigo_area', description: 'Area that the key is fixed to' })
  readonly areaCode?: string;
}

/** A key as lists show it, without its secret. */
export class ApiKeyItem {
  @Code({ wire: 'prefijo', description: 'Public name of the key' }) readonly keyId!: string;
  @Text({ max: 120, wire: 'nombre', description: 'What the key is for' }) readonly name!: string;
  @Text({ max: 320, wire: 'codigo_usuario', description: 'Owner' }) readonly ownerCode!: string;
  @Text({ max: 120, wire: 'rol', description: 'Role that the key plays' }) readonly roleCode!: string;
  @Code({ nullable: true, wire: 'codigo_entidad', description: 'Entity that it is fixed to' })
  readonly entityCode!: string | null;
  @Code({ nullable: true, wire: 'codigo_area', description: 'Area that it is fixed to' })
  readonly areaCode!: string | null;
  @Moment({ wire: 'fecha_creacion', description: 'When it was made' }) readonly createdAt!: string;
  @Day({
    nullable: true,
    optional: true,
    wire: 'fecha_ultimo_uso',
    description: 'Day of its last use, in UTC; null until it is used',
  })
  readonly lastUsedOn?: string | null;
}

export class CreatedApiKey extends ApiKeyItem {
  @Text({ max: 400, description: 'The key: shown this once, stored hashed' }) readonly apiKey!: string;
}

export const createApiKey = call({
  ...ownedByAuth,
  code: 'api_keys.create',
  effect: 'write',
  input: CreateApiKey,
  output: CreatedApiKey,
});

export const MOST_LISTED_KEYS = 10_000;

export class ApiKeyList {
  @ListOf(() => ApiKeyItem, { max: MOST_LISTED_KEYS, description: 'Keys that are not revoked' })
  readonly items!: readonly ApiKeyItem[];
}

export const listApiKeys = call({
  ...ownedByAuth,
  code: 'api_keys.list',
  effect: 'read',
  input: Empty,
  output: ApiKeyList,
});

export class ApiKeyName {
  @Code({ names: 'api_key', wire: 'prefijo', description: 'Public name of the key' }) readonly keyId!: string;
}

export const revokeApiKey = call({
  ...ownedByAuth,
  code: 'api_keys.revoke',
  effect: 'write',
  input: ApiKeyName,
  output: Confirmation,
});
