import { kindOfCompound, kindOfZip } from '../../formats-containers';
import { DamagedFile } from '../../errors';
import type { Attachment } from '../../reader';
import { CompoundStreams, isCompoundFile } from '../archive';
import type { OfficePackage, Relation } from './office-package';

/** Relations whose target is a document inside the document. */
export const EMBEDDING: readonly string[] = ['package', 'oleObject'];
const ENDINGS: Readonly<Record<string, string>> = {
  docx: 'docx',
  xlsx: 'xlsx',
  pptx: 'pptx',
  xlsb: 'xlsb',
  doc: 'doc',
  xls: 'xls',
  ppt: 'ppt',
  msg: 'msg',
};

const isZip = (bytes: Buffer): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;
const baseOf = (part: string): string => part.slice(part.lastIndexOf('/') + 1);
const stemOf = (part: string): string => baseOf(part).replace(/\.[^.]*$/, '');

/** A text that ends with a zero, and the position behind it; null without an end. */
const zeroEnded = (bytes: Buffer, from: number): readonly [text: string, next: number] | null => {
  const end = bytes.indexOf(0, from);
  return end < 0 ? null : [bytes.toString('latin1', from, end), end + 1];
};

/** The file that an object of kind Package has with its name. */
const nativeFile = (bytes: Buffer): Attachment | null => {
  const label = zeroEnded(bytes, 6);
  const path = label === null ? null : zeroEnded(bytes, label[1]);
  const copy = path === null ? null : zeroEnded(bytes, path[1] + 8);
  if (label === null || copy === null || copy[1] + 4 > bytes.length) return null;
  const length = bytes.readUInt32LE(copy[1]);
  const content = bytes.subarray(copy[1] + 4, copy[1] + 4 + length);
  return content.length < length || length === 0 ? null : { name: label[0], bytes: content };
};

/** The document of an OLE object; null for an object of another kind, such as a formula or a control. */
const documentOf = (part: string, bytes: Buffer): Attachment | null => {
  if (!isCompoundFile(bytes)) return null;
  const streams = new CompoundStreams(bytes);
  const native = streams.get('\u0001Ole10Native');
  if (native !== undefined) return nativeFile(native);
  const zip = streams.get('Package');
  if (zip !== undefined) return { name: `${stemOf(part)}.${ENDINGS[kindOfZip(zip)] ?? 'zip'}`, bytes: zip };
  const content = streams.get('CONTENTS');
  if (content?.subarray(0, 5).toString('latin1') === '%PDF-') return { name: `${stemOf(part)}.pdf`, bytes: content };
  const ending = ENDINGS[kindOfCompound(bytes)];
  return ending === undefined ? null : { name: `${stemOf(part)}.${ending}`, bytes };
};

/** The document of an object; a damaged object becomes a document that says so, another object is null. */
export const openObject = (part: string, bytes: Buffer): Attachment | null => {
  try {
    return documentOf(part, bytes);
  } catch (error) {
    // A damaged object never costs a document its text: it becomes a document that says so.
    if (error instanceof DamagedFile) return { name: `${stemOf(part)}.doc`, bytes };
    throw error;
  }
};

/** Files inside an Office file, and how many others it has that are no documents, such as formulas and controls. */
export interface Embedded {
  readonly files: readonly Attachment[];
  readonly others: number;
}

/** A file that only its content names, such as `oleObject1.bin`. */
const named = (part: string, bytes: Buffer): Attachment => {
  const ending = part.endsWith('.bin') && isZip(bytes) ? ENDINGS[kindOfZip(bytes)] : undefined;
  return { name: ending === undefined ? baseOf(part) : `${stemOf(part)}.${ending}`, bytes };
};

/** The documents inside a part of an Office file; a part that several relations name is one document. */
export const readEmbedded = async (office: OfficePackage, relations: readonly Relation[]): Promise<Embedded> => {
  const files: Attachment[] = [];
  const seen = new Set<string>();
  for (const { kind, part } of relations) {
    if (!EMBEDDING.includes(kind) || seen.has(part) || !office.has(part)) continue;
    seen.add(part);
    const bytes = await office.bytes(part);
    const isObject = kind === 'oleObject' && isCompoundFile(bytes);
    const file = isObject ? openObject(part, bytes) : named(part, bytes);
    if (file !== null) files.push(file);
  }
  return { files, others: seen.size - files.length };
};
