import { KeyRing } from '@acervo/platform-config';

/** The server keys that secrets are hashed with, by version; the highest hashes new ones. */
export class Peppers extends KeyRing {
  constructor(text: string) {
    super(text, 'ACERVO_KEY_PEPPER');
  }
}
