import { call } from '../calls';
import { Empty } from '../empty';
import { Choice, Code, Flag, Int, ListOf, Text, TextList, TypedAddress, Uuid } from '../fields';
import { UserRoleItem } from '../people/user-access';

export class LoginRequest {
  @TypedAddress({ names: 'user', min: 1, description: 'Address of the user' }) readonly email!: string;
  @Text({ max: 1024, description: 'Password' }) readonly password!: string;
}

/** The client of a login attempt; the attempt limiter counts by it. */
export class ClientInfo {
  @Text({ max: 64, description: 'Address that the request came from' }) readonly address!: string;
  @Text({ max: 512, nullable: true, description: 'Token of a device that has logged in before' })
  readonly deviceToken!: string | null;
}

export class LoginAttempt extends ClientInfo {
  @TypedAddress({ names: 'user', min: 1, description: 'Address of the user' }) readonly email!: string;
  @Text({ max: 1024, description: 'Password' }) readonly password!: string;
}

/** The tokens of a session. */
export class SessionTokens {
  @Text({ max: 4096, description: 'Access token, a JWT' }) readonly accessToken!: string;
  @Choice(['bearer'], { description: 'How the access token is sent' }) readonly tokenType!: string;
  @Int({ description: 'Life of the access token in seconds' }) readonly expiresIn!: number;
  @Text({ max: 512, nullable: true, description: 'Renews the session once; null while a second factor is owed' })
  readonly refreshToken!: string | null;
}

export class LoginResponse extends SessionTokens {
  @Flag({ description: 'A second factor is owed: the access token reaches its routes only' })
  readonly mfaRequired!: boolean;
  @Uuid({ nullable: true, description: 'The verified factor that is asked for' }) readonly factorId!: string | null;
}

export class OpenedSession extends LoginResponse {
  @Text({
    max: 512,
    nullable: true,
    description: 'Exempts this device from limits that other devices exhaust; 90 days',
  })
  readonly deviceToken!: string | null;
}

const ownedByAuth = { owner: 'auth', callers: ['auth'] } as const;

export const logIn = call({
  ...ownedByAuth,
  code: 'sessions.log_in',
  effect: 'write',
  scope: 'anonymous',
  input: LoginAttempt,
  output: OpenedSession,
});

/** A sentence for people that confirms the action. */
export class Confirmation {
  @Text({ max: 400, wire: 'mensaje', description: 'What was done, in Spanish' }) readonly message!: string;
}

export const logOut = call({
  ...ownedByAuth,
  code: 'sessions.log_out',
  effect: 'write',
  scope: 'user',
  input: Empty,
  output: Confirmation,
});

export class RefreshRequest {
  @Text({ min: 1, max: 512, description: 'Refresh token' }) readonly refreshToken!: string;
}

export const refreshSession = call({
  ...ownedByAuth,
  code: 'sessions.refresh',
  effect: 'write',
  scope: 'anonymous',
  input: RefreshRequest,
  output: SessionTokens,
});

export class ContextEntity {
  @Code({ wire: 'codigo', description: 'Entity' }) readonly code!: string;
  @Text({ max: 200, wire: 'nombre', description: 'Name' }) readonly name!: string;
}

/** The user behind the internal routes, with group, entity and area. */
export class UserContext {
  @Text({ max: 320, wire: 'codigo_usuario', description: 'Code of the user: an address' }) readonly userCode!: string;
  @Text({ max: 200, wire: 'nombre', description: 'Name of the user' }) readonly userName!: string;
  @Code({ wire: 'grupo_activo', description: 'Group that everything is filtered by' }) readonly groupCode!: string;
  @Text({ max: 200, wire: 'nombre_grupo', description: 'Its name' }) readonly groupName!: string;
  @Code({ wire: 'entidad_activa', nullable: true, description: 'Entity in focus' })
  readonly activeEntity!: string | null;
  @Code({ wire: 'area_activa', nullable: true, description: 'Area that applies' }) readonly activeArea!: string | null;
  @Code({ wire: 'aplicacion_activa', nullable: true, description: 'Application of the session' })
  readonly activeApplication!: string | null;
  @Text({ max: 120, wire: 'rol_principal', description: 'Role of the session' }) readonly roleCode!: string;
  @Choice(['USUARIO', 'ADMINISTRADOR', 'SISTEMA'], { wire: 'tipo_acceso', description: 'Access level' })
  readonly profile!: string;
  @TextList({ max: 500, length: 120, wire: 'funciones', description: 'Functions of the role' })
  readonly functions!: readonly string[];
  @ListOf(() => ContextEntity, { max: 5000, wire: 'entidades', description: 'Entities that the user has' })
  readonly entities!: readonly ContextEntity[];
  @ListOf(() => UserRoleItem, { max: 500, wire: 'roles', optional: true, description: 'Roles that the user has' })
  readonly roles?: readonly UserRoleItem[];
  @Choice(['aal1', 'aal2'], { wire: 'nivel', description: 'Assurance of the session' }) readonly assurance!: string;
}

export const describeSession = call({
  ...ownedByAuth,
  code: 'sessions.describe',
  effect: 'read',
  scope: 'user',
  input: Empty,
  output: UserContext,
});

export class ChangeEntity {
  @Code({
    names: 'entity',
    wire: 'codigo_entidad',
    nullable: true,
    description: 'Entity to focus on; null for all of them',
  })
  readonly entityCode!: string | null;
}

export class ChangeGroup {
  @Code({ names: 'group', wire: 'codigo_grupo', description: 'Group to act in' }) readonly groupCode!: string;
}

export class ChangeApplication {
  @Code({ names: 'application', wire: 'codigo_aplicacion', description: 'Application to work with' })
  readonly applicationCode!: string;
}

const change = { ...ownedByAuth, effect: 'write', scope: 'user', output: Empty } as const;

export const changeEntity = call({ ...change, code: 'sessions.change_entity', input: ChangeEntity });
export const changeGroup = call({ ...change, code: 'sessions.change_group', input: ChangeGroup });
export const changeApplication = call({ ...change, code: 'sessions.change_application', input: ChangeApplication });

/** A public key as a JWK. */
export class PublishedKey {
  @Text({ max: 64, description: 'Key id' }) readonly kid!: string;
  @Text({ max: 10, description: 'Key type' }) readonly kty!: string;
  @Text({ max: 20, description: 'Curve' }) readonly crv!: string;
  @Text({ max: 100, description: 'First coordinate' }) readonly x!: string;
  @Text({ max: 100, description: 'Second coordinate' }) readonly y!: string;
  @Text({ max: 10, description: 'Algorithm' }) readonly alg!: string;
  @Text({ max: 10, description: 'Use' }) readonly use!: string;
}

export class PublishedKeySet {
  @ListOf(() => PublishedKey, { max: 20, description: 'Keys that a valid token may name' })
  readonly keys!: readonly PublishedKey[];
}

/** What a client of `/mcp` needs to ask it (RFC 9728). Keys are made by their owners: no authorization server issues any. */
export class ProtectedResource {
  @Text({ max: 2_000, description: 'Address of the resource' }) readonly resource!: string;
  @Text({ max: 200, description: 'Its name' }) readonly resourceName!: string;
  @TextList({ max: 1, length: 20, description: 'How a credential is sent' })
  readonly bearerMethodsSupported!: readonly string[];
}
