import { generateSecret, generateURI, verify } from 'otplib';
import { toString } from 'qrcode';
import type { TotpSetup } from '@acervo/contracts';
import type { Seal } from '../tokens/seal';
import type { StoredFactor } from './factor.store';
import type { FactorKind, Given, Recorded } from './proofs';

const ISSUER = 'Acervo';
const CODE = /^\d{6}$/;
/** The current step and the one before it; none of the future. */
const TOLERANCE: [number, number] = [30, 0];

/** Codes of authenticator apps (RFC 6238); each step counts once, and none before it any more. */
export class Totp implements FactorKind {
  constructor(private readonly seal: Seal) {}

  /** A new secret, sealed for the database and as its owner sets up an app with it. */
  async setUp(userCode: string): Promise<{ readonly sealed: Buffer; readonly setup: TotpSetup }> {
    const secret = generateSecret();
    const uri = generateURI({ issuer: ISSUER, label: userCode, secret });
    const svg = await toString(uri, { type: 'svg', margin: 1 });
    const qrCode = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
    return { sealed: this.seal.seal(secret), setup: { qrCode, secret, uri } };
  }

  challenge(): Promise<{ nonce: null; options: null }> {
    return Promise.resolve({ nonce: null, options: null });
  }

  async prove({ factorId, secret }: StoredFactor, { code = '' }: Given): Promise<Recorded | undefined> {
    if (!CODE.test(code) || secret === null) return undefined;
    const result = await verify({ secret: this.seal.open(secret), token: code, epochTolerance: TOLERANCE });
    if (!result.valid || !('timeStep' in result)) return undefined;
    const { timeStep } = result;
    return (tx, store) => store.advance(tx, factorId, timeStep);
  }
}
