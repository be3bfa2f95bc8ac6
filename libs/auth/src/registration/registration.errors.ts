import { CrossesCalls, Forbidden } from '@acervo/contracts';

/** The installation has closed registration by its setting. */
@CrossesCalls
export class RegistrationClosed extends Forbidden {
  constructor() {
    super('Registration is closed; an administrator creates users.');
  }

  override get spoken(): string {
    return 'El registro está cerrado en esta instalación; pida una cuenta a su administrador.';
  }
}
