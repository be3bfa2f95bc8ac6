import { fromBER, OctetString, Sequence } from 'asn1js';
import { ContentInfo, EncapsulatedContentInfo } from 'pkijs';
import { DamagedFile } from '../../errors';

/** Beginning of each object identifier of CMS, and the one of signed content. */
const [DATA, SIGNED, PKCS7] = ['1.2.840.113549.1.7.1', '1.2.840.113549.1.7.2', '1.2.840.113549.1.7.'];
const ENCRYPTED = ['3', '4', '6'].map((kind) => `${PKCS7}${kind}`).concat('1.2.840.113549.1.9.16.1.23');
const SEQUENCE = 0x30;
/** `pkcs7` and `signedData` or another kind, as they stand near the beginning of the bytes. */
const IDENTIFIER = Buffer.from('06092a864886f70d0107', 'hex');
const WITHIN = 24;
const ARMOUR = /-----[A-Z0-9 ]{1,40}-----/g;

/** What a container of CMS has inside; the signature is not verified. */
export type CmsContent =
  | { readonly kind: 'content'; readonly bytes: Buffer }
  /** A signature without the content that it signs. */
  | { readonly kind: 'detached' }
  | { readonly kind: 'encrypted' };

export const isCms = (bytes: Buffer): boolean =>
  bytes[0] === SEQUENCE && bytes.subarray(0, WITHIN).includes(IDENTIFIER);

/** The binary form of a container that is written in base64, with or without its armour. */
export const binaryCms = (bytes: Buffer): Buffer => {
  if (bytes[0] === SEQUENCE) return bytes;
  return Buffer.from(bytes.toString('latin1').replace(ARMOUR, ''), 'base64');
};

const octetsOf = (octets: OctetString | undefined): CmsContent =>
  octets === undefined ? { kind: 'detached' } : { kind: 'content', bytes: Buffer.from(octets.getValue()) };

const parsed = (bytes: Buffer): CmsContent => {
  const { result, offset } = fromBER(bytes);
  if (offset < 0) throw new DamagedFile();
  const { contentType, content } = new ContentInfo({ schema: result });
  if (ENCRYPTED.includes(contentType)) return { kind: 'encrypted' };
  if (contentType === DATA && content instanceof OctetString) return octetsOf(content);
  // Certificates and signers may be faulty; the signed content stands before them.
  const signed = contentType === SIGNED && content instanceof Sequence ? content.valueBlock.value[2] : undefined;
  if (signed === undefined) throw new DamagedFile();
  return octetsOf(new EncapsulatedContentInfo({ schema: signed }).eContent);
};

/** Opens a container of signed or encrypted content. @throws DamagedFile */
export const openCms = (bytes: Buffer): CmsContent => {
  try {
    return parsed(binaryCms(bytes));
  } catch {
    // The library throws its own errors, and overflows the stack, for faulty structures.
    throw new DamagedFile();
  }
};
