import { randomBytes } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { CHALLENGE_SECONDS, type StoredFactor } from './factor.store';
import type { FactorKind, ProofInput, Recorded } from './proofs';

const NAME = 'Acervo';

/** The library has 300 files with its readers of certificates. It is loaded only for users with such a key. */
const library = () => import('@simplewebauthn/server');

/** The host name that keys are bound to, and the origins that may use them. */
export interface RelyingParty {
  readonly id: string;
  readonly origins: readonly string[];
}

/** The answer of a browser; the library checks its shape. */
const answerOf = <T>(credential: object): T => JSON.parse(JSON.stringify(credential)) as T;

/** Security keys and passkeys. A pending factor requests a new key, a verified one a signature of its key. */
export class WebAuthn implements FactorKind {
  constructor(private readonly party: RelyingParty) {}

  async challenge(
    { verified, credentialId }: StoredFactor,
    { code, name }: { code: string; name: string },
  ): Promise<{ nonce: string; options: object }> {
    const common = {
      rpID: this.party.id,
      challenge: new Uint8Array(randomBytes(32)),
      timeout: CHALLENGE_SECONDS * 1000,
    };
    const { generateAuthenticationOptions, generateRegistrationOptions } = await library();
    const options = verified
      ? await generateAuthenticationOptions({ ...common, allowCredentials: [{ id: credentialId ?? '' }] })
      : await generateRegistrationOptions({
          ...common,
          rpName: NAME,
          userName: code,
          userDisplayName: name,
          attestationType: 'none',
        });
    return { nonce: options.challenge, options };
  }

  async prove(factor: StoredFactor, { credential }: ProofInput, nonce: string | null): Promise<Recorded | undefined> {
    if (credential === undefined || nonce === null) return undefined;
    try {
      return factor.verified
        ? await this.signed(factor, credential, nonce)
        : await this.made(factor, credential, nonce);
    } catch {
      // The library throws for every defect of an answer; the caller gets one answer for all of them.
      return undefined;
    }
  }

  private expected(nonce: string) {
    return {
      expectedChallenge: nonce,
      expectedOrigin: [...this.party.origins],
      expectedRPID: this.party.id,
      requireUserVerification: false,
    };
  }

  private async made({ factorId }: StoredFactor, credential: object, nonce: string): Promise<Recorded | undefined> {
    const { verifyRegistrationResponse } = await library();
    const response = answerOf<RegistrationResponseJSON>(credential);
    const { verified, registrationInfo } = await verifyRegistrationResponse({ ...this.expected(nonce), response });
    if (!verified) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return (tx, store) => store.keepKey(tx, factorId, id, publicKey, counter);
  }

  private async signed(factor: StoredFactor, credential: object, nonce: string): Promise<Recorded | undefined> {
    const { factorId, credentialId, publicKey, signCount } = factor;
    if (credentialId === null || publicKey === null) return undefined;
    const { verifyAuthenticationResponse } = await library();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...this.expected(nonce),
      response: answerOf<AuthenticationResponseJSON>(credential),
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: signCount },
    });
    if (!verified) return undefined;
    return (tx, store) => store.countKey(tx, factorId, authenticationInfo.newCounter);
  }
}
