import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

const head = (major: number, size: number): Buffer => {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  return size < 256 ? Buffer.from([(major << 5) | 24, size]) : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
};

/** The part of CBOR (RFC 8949) that authenticators write. */
const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
};

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const coordinate = (key: KeyObject, name: 'x' | 'y'): Buffer =>
  Buffer.from(String(key.export({ format: 'jwk' })[name]), 'base64url');

/** A security key in software (WebAuthn level 2), written independently of the code that checks it. */
export class SoftwareAuthenticator {
  private readonly id = randomBytes(16);
  private readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  count = 0;

  constructor(
    private readonly host: string,
    private readonly origin: string,
  ) {}

  create(options: Readonly<Record<string, unknown>>): object {
    const key = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(this.pair.publicKey, 'x')],
      [-3, coordinate(this.pair.publicKey, 'y')],
    ]);
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, cbor(key)]);
    const authData = Buffer.concat([this.header(0x41), attested]);
    const attestation = cbor(
      new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', options).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    });
  }

  get(options: Readonly<Record<string, unknown>>): object {
    this.count += 1;
    const client = this.clientData('webauthn.get', options);
    const authenticatorData = this.header(0x01);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), this.pair.privateKey);
    return this.answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  private header(flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.count);
    return Buffer.concat([sha256(this.host), Buffer.from([flags]), count]);
  }

  private clientData(type: string, { challenge }: Readonly<Record<string, unknown>>): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  private answer(response: object): object {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
