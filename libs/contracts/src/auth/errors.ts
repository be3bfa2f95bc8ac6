import { Conflict, CrossesCalls, Forbidden, Unauthorized } from '../errors';
import { MOST_ENTITIES } from './credentials';

/** One answer for every login that does not succeed, whatever the reason. */
@CrossesCalls
export class WrongCredentials extends Unauthorized {
  override get spoken(): string {
    return 'El correo o la contraseña no son correctos.';
  }
}

/** A session that still lacks the second factor of its user. */
@CrossesCalls
export class SecondFactorOwed extends Forbidden {
  constructor() {
    super('The session owes its second factor; open a challenge and verify it.');
  }

  override get spoken(): string {
    return 'Falta el segundo factor: abra un desafío y verifíquelo para continuar.';
  }
}

/** A user has, or would have, more entities than a scope carries. The request fails instead of using a part of them. */
@CrossesCalls
export class TooManyEntities extends Conflict {
  constructor() {
    super(
      `A user can have ${MOST_ENTITIES} entities at most; an administrator has to take some away from this one (users.remove_entity) or put them together.`,
      { reason: 'TOO_MANY_ENTITIES', most: MOST_ENTITIES },
    );
  }

  override get spoken(): string {
    return `Un usuario puede tener como máximo ${MOST_ENTITIES} entidades; un administrador debe retirarle algunas o unirlas.`;
  }
}
