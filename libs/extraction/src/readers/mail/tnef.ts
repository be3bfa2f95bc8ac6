import iconv from 'iconv-lite';
import { DamagedFile, LimitExceeded } from '../../errors';
import type { ReadLimits } from '../../reader';
import { encodingOf } from '../rtf';

export const TNEF_SIGNATURE = 0x223e9f78;

/** A file inside, as its attributes describe it. */
export interface TnefFile {
  name: string;
  bytes: Buffer;
}

/** The content of a file `winmail.dat`. */
export interface Tnef {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly compressedRtf: Buffer | null;
  readonly files: readonly TnefFile[];
  /** Files that have a name and no bytes. */
  readonly emptyFiles: number;
}

const ATTRIBUTE = {
  codePage: 0x69007,
  subject: 0x18004,
  body: 0x2800c,
  properties: 0x69003,
  newFile: 0x69002,
  fileName: 0x18010,
  fileBytes: 0x6800f,
  fileProperties: 0x69005,
} as const;

const PROPERTY = {
  subject: 0x0037,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  bytes: 0x3701,
  displayName: 0x3001,
  shortName: 0x3704,
  name: 0x3707,
} as const;
const TYPE = { string8: 0x1e, unicode: 0x1f, object: 0x0d, binary: 0x102 } as const;
/** Bytes of values that have one length; the others state theirs. */
const FIXED: Readonly<Record<number, number>> = {
  ...{ 0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0a: 4, 0x0b: 4 },
  ...{ 0x14: 8, 0x40: 8, 0x48: 16 },
};
const MULTIPLE = 0x1000;
const NAMED = 0x8000;
/** The interface of an object stands before its bytes. */
const INTERFACE = 16;

/** Reads numbers and bytes in their order. @throws DamagedFile beyond the end */
class Cursor {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  get isOver(): boolean {
    return this.at >= this.bytes.length;
  }

  take(length: number): Buffer {
    if (length > this.bytes.length - this.at) throw new DamagedFile();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  u16(): number {
    return this.take(2).readUInt16LE();
  }

  u32(): number {
    return this.take(4).readUInt32LE();
  }

  /** Bytes that are filled up to a multiple of four. */
  padded(length: number): Buffer {
    const taken = this.take(length);
    this.take(Math.min((4 - (length % 4)) % 4, this.bytes.length - this.at));
    return taken;
  }
}

const untilZero = (text: string): string => {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
};

type Properties = ReadonlyMap<number, string | Buffer>;

class PropertyReader {
  constructor(
    private readonly cursor: Cursor,
    private readonly encoding: string,
    private readonly limits: Pick<ReadLimits, 'entries'>,
  ) {}

  read(): Properties {
    const { cursor } = this;
    const found = new Map<number, string | Buffer>();
    for (let left = this.counted(cursor.u32()); left > 0 && !cursor.isOver; left -= 1) {
      const type = cursor.u16();
      const id = cursor.u16();
      if (id >= NAMED) this.skipName();
      const value = this.value(type);
      if (value !== null) found.set(id, value);
    }
    return found;
  }

  private counted(count: number): number {
    if (count > this.limits.entries) throw new LimitExceeded('properties', this.limits.entries);
    return count;
  }

  private skipName(): void {
    this.cursor.take(16);
    if (this.cursor.u32() === 0) this.cursor.take(4);
    else this.cursor.padded(this.cursor.u32());
  }

  /** The last of several values; null for numbers. */
  private value(type: number): string | Buffer | null {
    const { cursor } = this;
    const single = type & ~MULTIPLE;
    const fixed = FIXED[single];
    const isListed = fixed === undefined || type !== single;
    let value: string | Buffer | null = null;
    for (let left = isListed ? this.counted(cursor.u32()) : 1; left > 0; left -= 1) {
      if (fixed !== undefined) cursor.take(fixed);
      else value = this.text(single, cursor.padded(cursor.u32()));
    }
    return value;
  }

  private text(type: number, bytes: Buffer): string | Buffer {
    if (type === TYPE.unicode) return untilZero(bytes.toString('utf16le'));
    if (type === TYPE.string8) return untilZero(iconv.decode(bytes, this.encoding));
    if (type === TYPE.object) return bytes.subarray(INTERFACE);
    if (type === TYPE.binary) return bytes;
    throw new DamagedFile();
  }
}

const textIn = (properties: Properties, id: number): string => {
  const value = properties.get(id);
  return typeof value === 'string' ? value : '';
};

const bytesIn = (properties: Properties, id: number): Buffer | null => {
  const value = properties.get(id);
  return Buffer.isBuffer(value) ? value : null;
};

/** The name of a file; a mail inside has only the one that is shown. */
const nameIn = (properties: Properties): string =>
  [PROPERTY.name, PROPERTY.shortName, PROPERTY.displayName].map((id) => textIn(properties, id)).find(Boolean) ?? '';

class TnefReading {
  private encoding = 'windows-1252';
  private readonly files: TnefFile[] = [];
  private subject = '';
  private text = '';
  private html = '';
  private compressedRtf: Buffer | null = null;

  constructor(private readonly limits: Pick<ReadLimits, 'entries'>) {}

  read(bytes: Buffer): Tnef {
    const cursor = new Cursor(bytes);
    if (cursor.u32() !== TNEF_SIGNATURE) throw new DamagedFile();
    cursor.u16();
    while (!cursor.isOver) {
      cursor.take(1);
      const id = cursor.u32();
      const data = cursor.take(cursor.u32());
      cursor.u16();
      this.attribute(id, data);
    }
    const { subject, text, html, compressedRtf, files } = this;
    const filled = files.filter((file) => file.bytes.length > 0);
    return { subject, text, html, compressedRtf, files: filled, emptyFiles: files.length - filled.length };
  }

  private attribute(id: number, data: Buffer): void {
    if (id === ATTRIBUTE.codePage && data.length >= 4) this.encoding = encodingOf(data.readUInt32LE());
    else if (id === ATTRIBUTE.subject) this.subject ||= this.decoded(data);
    else if (id === ATTRIBUTE.body) this.text ||= this.decoded(data);
    else if (id === ATTRIBUTE.properties) this.message(this.properties(data));
    else if (id === ATTRIBUTE.newFile) this.newFile();
    else this.fileAttribute(id, data);
  }

  private fileAttribute(id: number, data: Buffer): void {
    const file = this.files.at(-1);
    if (file === undefined) return;
    if (id === ATTRIBUTE.fileName) file.name ||= this.decoded(data);
    else if (id === ATTRIBUTE.fileBytes) file.bytes = data;
    else if (id === ATTRIBUTE.fileProperties) {
      const properties = this.properties(data);
      file.name = nameIn(properties) || file.name;
      if (file.bytes.length === 0) file.bytes = bytesIn(properties, PROPERTY.bytes) ?? file.bytes;
    }
  }

  private message(properties: Properties): void {
    this.subject = textIn(properties, PROPERTY.subject) || this.subject;
    this.text = textIn(properties, PROPERTY.body) || this.text;
    const html = bytesIn(properties, PROPERTY.html);
    this.html = html === null ? textIn(properties, PROPERTY.html) : iconv.decode(html, this.encoding);
    this.compressedRtf = bytesIn(properties, PROPERTY.rtf);
  }

  private newFile(): void {
    if (this.files.length >= this.limits.entries) throw new LimitExceeded('attachments', this.limits.entries);
    this.files.push({ name: '', bytes: Buffer.alloc(0) });
  }

  private properties(data: Buffer): Properties {
    return new PropertyReader(new Cursor(data), this.encoding, this.limits).read();
  }

  private decoded(data: Buffer): string {
    return untilZero(iconv.decode(data, this.encoding));
  }
}

export const isTnef = (bytes: Buffer): boolean => bytes.length >= 6 && bytes.readUInt32LE() === TNEF_SIGNATURE;

/** The content of a file that Outlook sends as `winmail.dat`. @throws DamagedFile, LimitExceeded */
export const readTnef = (bytes: Buffer, limits: Pick<ReadLimits, 'entries'>): Tnef =>
  new TnefReading(limits).read(bytes);
