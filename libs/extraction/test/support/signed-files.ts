/** One element of DER: its tag, its length and its content. */
export const der = (tag: number, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const size = body.length.toString(16);
  const octets = Buffer.from(size.length % 2 === 0 ? size : `0${size}`, 'hex');
  const length = body.length < 0x80 ? Buffer.from([body.length]) : Buffer.from([0x80 | octets.length, ...octets]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
};

const [SEQUENCE, SET, OCTETS, FIRST] = [0x30, 0x31, 0x04, 0xa0];
const VERSION = Buffer.from('020101', 'hex');
const pkcs7 = (kind: number): Buffer => Buffer.from(`06092a864886f70d01070${kind}`, 'hex');

/** Signed content (CMS) without signers; without content it is a detached signature. */
export const signedFile = (content: Buffer | null): Buffer => {
  const octets = content === null ? [] : [der(FIRST, der(OCTETS, content))];
  const inside = der(SEQUENCE, VERSION, der(SET), der(SEQUENCE, pkcs7(1), ...octets), der(SET));
  return der(SEQUENCE, pkcs7(2), der(FIRST, inside));
};

/** Content that is encrypted for a recipient, as far as its kind. */
export const encryptedFile = (): Buffer =>
  der(SEQUENCE, pkcs7(3), der(FIRST, der(SEQUENCE, VERSION, der(SET), der(SEQUENCE, pkcs7(1)))));

/** Compressed content (RFC 3274), as far as its kind. */
export const compressedFile = (): Buffer =>
  der(SEQUENCE, Buffer.from('060b2a864886f70d0109100109', 'hex'), der(FIRST, der(SEQUENCE, VERSION)));
