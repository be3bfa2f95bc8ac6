import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { decodeProtectedHeader } from 'jose';
import { ExtractJwt, Strategy, type StrategyOptionsWithoutRequest, type VerifyCallback } from 'passport-jwt';
import { Unauthorized } from '@acervo/contracts';
import { AuthConfig } from '../auth-config';
import { type AccessClaims, claimsOfToken, TOKEN_AUDIENCE, type VerifiedToken } from './access-token';
import { ApplicationPassport, StrategyFailure } from './application-passport';
import { SigningKeys, TOKEN_ALGORITHM } from '../secrets/signing-keys';

/** The name that the strategy is registered under. */
export const ACCESS_TOKEN = 'access-token';

const SKEW_S = 5;

/** The strategy of passport-jwt with its Passport, which the mixin of Nest reads from it. */
class ApplicationJwtStrategy extends Strategy {
  constructor(
    readonly passport: ApplicationPassport,
    options: StrategyOptionsWithoutRequest,
    verify: VerifyCallback,
  ) {
    super(options, verify);
  }
}

type KeyFound = (error: unknown, key?: string) => void;

const keyIdOf = (token: string): string => {
  try {
    return decodeProtectedHeader(token).kid ?? '';
  } catch {
    throw new Unauthorized();
  }
};

const findKey = async (keys: SigningKeys, token: string): Promise<string> => {
  const key = await keys.find(keyIdOf(token));
  if (key === undefined) throw new Unauthorized();
  return key.export({ format: 'pem', type: 'spki' }).toString();
};

/** Verifies access tokens: one algorithm, the keys of this installation by id, type, issuer and audience. */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(ApplicationJwtStrategy, ACCESS_TOKEN) {
  constructor(passport: ApplicationPassport, keys: SigningKeys, config: AuthConfig) {
    super(passport, {
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider: (_request: unknown, token: string, done: KeyFound) =>
        void findKey(keys, token).then(
          (key) => done(null, key),
          (error: unknown) => done(error instanceof Unauthorized ? error : new StrategyFailure(error)),
        ),
      algorithms: [TOKEN_ALGORITHM],
      issuer: config.tokenIssuer,
      audience: TOKEN_AUDIENCE,
      jsonWebTokenOptions: { clockTolerance: SKEW_S, complete: true },
    });
  }

  /** The claims of a token that passport-jwt verified; false for claims of another kind. */
  validate(token: VerifiedToken): AccessClaims | false {
    try {
      return claimsOfToken(token);
    } catch {
      return false;
    }
  }

  /** Where the mixin registers the strategy: never the default instance, which all applications of a process share. */
  getPassportInstance(): ApplicationPassport {
    return this.passport;
  }
}
