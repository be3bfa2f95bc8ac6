import { Unauthorized } from '@acervo/contracts';

/** Type and audience that access tokens name. */
export const TOKEN_TYPE = 'at+jwt';
export const TOKEN_AUDIENCE = 'acervo-api';

/** The claims of an access token. Each request reads from the session whether the token is still valid. */
export interface AccessClaims {
  readonly userId: string;
  /** The group that the user belongs to. */
  readonly groupId: string;
  readonly sessionId: string;
  readonly assurance: number;
}

/** A token whose signature, issuer, audience and expiry are verified. */
export interface VerifiedToken {
  readonly header: { readonly typ?: unknown };
  readonly payload: Readonly<Record<string, unknown>>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const uuidAt = (payload: VerifiedToken['payload'], name: string): string => {
  const value = payload[name];
  if (typeof value !== 'string' || !UUID.test(value)) throw new Unauthorized();
  return value;
};

/** @throws Unauthorized for a token of another type, or with a missing claim */
export const claimsOfToken = ({ header, payload }: VerifiedToken): AccessClaims => {
  const { aal, exp } = payload;
  if (header.typ !== TOKEN_TYPE || typeof exp !== 'number' || (aal !== 1 && aal !== 2)) throw new Unauthorized();
  return {
    userId: uuidAt(payload, 'sub'),
    groupId: uuidAt(payload, 'gid'),
    sessionId: uuidAt(payload, 'sid'),
    assurance: aal,
  };
};
