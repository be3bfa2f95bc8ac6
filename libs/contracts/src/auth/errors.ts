import { CrossesCalls, Forbidden, Unauthorized } from '../errors';

/** One answer for every login that does not succeed, whatever the reason. */
@CrossesCalls
export class WrongCredentials extends Unauthorized {
  override get spoken(): string {
    return 'El correo o la contraseña no son correctos.';
  }
}

/** A session whose user has a verified factor and has not given it. */
@CrossesCalls
export class SecondFactorOwed extends Forbidden {
  constructor() {
    super('The session owes its second factor; open a challenge and verify it.');
  }

  override get spoken(): string {
    return 'Falta el segundo factor: abra un desafío y verifíquelo para continuar.';
  }
}
