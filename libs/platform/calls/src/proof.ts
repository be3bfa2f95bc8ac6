import { createHash, randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { type Call, type CallerName, services } from '@acervo/contracts';
import { WorkScope } from '@acervo/rbac';
import { FrameRefused, KeysUnavailable } from './errors';
import { ALGORITHM, type PeerKeys, type ServiceKeys } from './keys';

const TYPE = 'acervo-call+jwt';
const LIFETIME_S = 30;
/** Clocks of two processes may differ by so much. */
const TOLERANCE_S = 5;
/**
 * Accepted senders. An operator calls within one process; a call over the network that claims to be an operator's is
 * refused. The program on one machine has keys where the configuration names its address.
 */
const CALLERS: readonly string[] = [...services, 'standalone'];

/** The claims of a call over the network: sender, receiver, call, and hashes of its input and its scope token. */
export interface Proof {
  readonly caller: CallerName;
  readonly work: WorkScope | undefined;
  /** The hash of the input that it was made for. */
  readonly hash: string;
  /** The hash of the scope token that it was made for; programs of the last release make proofs without it. */
  readonly scopeHash: string | undefined;
  /** Another one for every proof; programs of the last release make proofs without it. */
  readonly id: string | undefined;
  /** From then on it is refused as expired, in milliseconds. */
  readonly validUntil: number;
}

/**
 * The header with the proof of a call, so that its sender is known before its body is read. Programs of the last
 * release send the proof in the body alone, and read it there: for one release it stands in both.
 */
export const PROOF_HEADER = 'x-acervo-proof';

export const inputHash = (input: unknown, idempotencyKey: string | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([input, idempotencyKey ?? null]))
    .digest('base64url');

const scopeHash = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Signs the proofs of one service. */
export class ProofMint {
  constructor(
    private readonly caller: CallerName,
    private readonly keys: ServiceKeys,
  ) {}

  /** @param token the scope token that the call carries */
  sign(call: Call, hash: string, work: WorkScope | undefined, token?: string): Promise<string> {
    const { kid, key } = this.keys.signing;
    const bound = token === undefined ? {} : { scope: scopeHash(token) };
    const under =
      work === undefined ? {} : { work: { groupId: work.groupId, service: work.service, cause: work.cause } };
    return new SignJWT({ call: call.code, hash, ...bound, ...under })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: TYPE })
      .setIssuer(this.caller)
      .setSubject(this.caller)
      .setAudience(call.owner)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${LIFETIME_S}s`)
      .sign(key);
  }
}

const readWork = (value: unknown): WorkScope | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const [groupId, service, cause] = ['groupId', 'service', 'cause'].map((name): unknown => Reflect.get(value, name));
  if (typeof groupId !== 'string' || typeof service !== 'string' || typeof cause !== 'string') return undefined;
  return new WorkScope(groupId, service, cause);
};

/**
 * Verifies signature, sender, receiver and call of a proof: everything but the input, which is read afterwards.
 * @throws FrameRefused for any mismatch; KeysUnavailable
 */
export const verifyProof = async (peers: PeerKeys, proof: string, call: Call): Promise<Proof> => {
  const claimed = (() => {
    try {
      return { caller: decodeJwt(proof).iss ?? '', kid: decodeProtectedHeader(proof).kid ?? '' };
    } catch {
      throw new FrameRefused('its proof is not a token');
    }
  })();
  if (!CALLERS.includes(claimed.caller)) throw new FrameRefused('its sender is no service');
  const { payload } = await peers
    .find(claimed.caller, claimed.kid)
    .then((key) =>
      jwtVerify(proof, key, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: claimed.caller,
        subject: claimed.caller,
        audience: call.owner,
        clockTolerance: TOLERANCE_S,
        requiredClaims: ['iat', 'exp'],
      }),
    )
    .catch((error: unknown) => {
      throw error instanceof KeysUnavailable ? error : new FrameRefused('its proof is not valid');
    });
  if (payload['call'] !== call.code) throw new FrameRefused('its proof is for another call');
  const hash = typeof payload['hash'] === 'string' ? payload['hash'] : '';
  const scope = payload['scope'] === undefined ? undefined : String(payload['scope']);
  return {
    caller: claimed.caller as CallerName,
    work: readWork(payload['work']),
    hash,
    scopeHash: scope,
    id: payload.jti,
    validUntil: ((payload.exp ?? 0) + TOLERANCE_S) * 1_000,
  };
};

/** @throws FrameRefused when a proof was made for another input */
export const assertProven = ({ hash }: Proof, input: unknown, idempotencyKey: string | undefined): void => {
  if (hash !== inputHash(input, idempotencyKey)) throw new FrameRefused('its proof is for another input');
};

/** @throws FrameRefused when a proof was made for another scope token */
export const assertSameScope = (proof: Proof, token: string | undefined): void => {
  if (proof.scopeHash !== undefined && proof.scopeHash !== scopeHash(token ?? ''))
    throw new FrameRefused('its proof is for another scope');
};
