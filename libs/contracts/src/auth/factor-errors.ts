import { CrossesCalls, InvalidInput } from '../errors';

/** One answer for a wrong code, a used or expired challenge and a factor of another user. */
@CrossesCalls
export class FactorNotVerified extends InvalidInput {
  constructor() {
    super({ missing: [], invalid: ['code'], unknown: 0 });
  }

  override get spoken(): string {
    return 'El código no es correcto o el desafío ya no sirve. Abra un desafío nuevo.';
  }
}
