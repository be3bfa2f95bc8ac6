import { CrossesCalls, InvalidInput } from '../errors';

/** One answer for a wrong code, a spent or late challenge and a factor that is not the caller's. */
@CrossesCalls
export class FactorNotVerified extends InvalidInput {
  constructor() {
    super({ missing: [], invalid: ['code'], unknown: 0 });
  }

  override get spoken(): string {
    return 'El código no es correcto o el desafío ya no sirve. Abra un desafío nuevo.';
  }
}
