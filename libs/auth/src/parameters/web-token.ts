import { CrossesCalls, DomainError } from '@acervo/contracts';

/** The parameters of the host that gets the token, and of the token. */
export const WEB_TOKEN_HOST = 'WEB_TOKEN_HOST';
export const WEB_TOKEN = 'WEB_TOKEN';

/** A text that is no host alone: it has a scheme, a path or a user. */
@CrossesCalls
export class HostExpected extends DomainError {
  readonly code = 'VALIDATION_ERROR';
  constructor() {
    super('Write the host alone, without https:// and without a path, such as handbook.example.org.', {
      invalid_fields: ['value'],
    });
  }
}

/** The canonical form of a host, with its port where it is not 443. @throws HostExpected */
export const hostOf = (text: string): string => {
  const host = text.trim();
  const address = `https://${host}`;
  if (/[\s/\\?#@]/.test(host) || !URL.canParse(address)) throw new HostExpected();
  return new URL(address).host;
};
