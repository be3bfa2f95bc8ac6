import { generateSecret, generateURI, verify } from 'otplib';
import type { TotpSetup } from '@acervo/contracts';
import { Seal } from '../secrets/seal';
import type { StoredFactor } from './factor.store';
import type { FactorKind, ProofInput, Recorded } from './proofs';

const ISSUER = 'Acervo';
const CODE = /^\d{6}$/;
/** The current step and the one before it; no future step. */
const TOLERANCE: [number, number] = [30, 0];

/** The time that steps of codes are computed from. */
export class TotpClock {
  now(): number {
    return Date.now();
  }
}

/** Codes of authenticator apps (RFC 6238). Each step counts once; no earlier step counts after it. */
export class Totp implements FactorKind {
  constructor(
    private readonly seal: Seal,
    private readonly clock = new TotpClock(),
  ) {}

  /** A new secret: sealed for the factors of its owner, and in the form in which its owner sets up an app. */
  async setUp(owner: string, userCode: string): Promise<{ readonly sealed: Buffer; readonly setup: TotpSetup }> {
    const secret = generateSecret();
    const uri = generateURI({ issuer: ISSUER, label: userCode, secret });
    // Loaded by the first user who sets up an app: most processes never draw a code.
    const { toString } = await import('qrcode');
    const svg = await toString(uri, { type: 'svg', margin: 1 });
    const qrCode = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
    return { sealed: this.seal.seal(secret, owner), setup: { qrCode, secret, uri } };
  }

  challenge(): Promise<{ nonce: null; options: null }> {
    return Promise.resolve({ nonce: null, options: null });
  }

  async prove({ factorId, owner, secret }: StoredFactor, { code = '' }: ProofInput): Promise<Recorded | undefined> {
    if (!CODE.test(code) || secret === null) return undefined;
    const epoch = Math.floor(this.clock.now() / 1_000);
    const result = await verify({
      secret: this.seal.open(secret, owner),
      token: code,
      epoch,
      epochTolerance: TOLERANCE,
    });
    if (!result.valid || !('timeStep' in result)) return undefined;
    const { timeStep } = result;
    return (tx, store) => store.advance(tx, factorId, timeStep);
  }
}
