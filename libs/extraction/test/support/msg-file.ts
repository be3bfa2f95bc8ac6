import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner';

const [FOLDER, STREAM, ROOT] = [1, 2, 5];
const [TEXT, OLD_TEXT, BINARY] = ['001F', '001E', '0102'];

/** The content of a folder of an Outlook mail: bytes, or another folder. */
export interface MsgFolder {
  readonly [name: string]: Buffer | MsgFolder;
}

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
const stream = (property: string, type: string): string => `__substg1.0_${property}${type}`;

export interface MsgContent {
  readonly subject?: string;
  readonly body?: string;
  /** Body in the code page of the mail, as old versions wrote it. */
  readonly oldBody?: Buffer;
  readonly html?: string;
  readonly rtf?: string;
  readonly codePage?: number;
  /** Class of the item; a mail without it. */
  readonly kind?: string;
  /** Further texts by their property. */
  readonly texts?: Readonly<Record<string, string>>;
  /** The place of an appointment, a property that the file names. */
  readonly place?: string;
  readonly attachments?: readonly {
    readonly name: string;
    readonly bytes?: Buffer;
    readonly mail?: MsgContent;
    /** By which the body shows it. */
    readonly contentId?: string;
  }[];
}

/** Fixed properties: a head, then sixteen bytes for each. */
const properties = (head: number, numbers: readonly (readonly [tag: number, value: number])[]): Buffer => {
  const bytes = Buffer.alloc(head + numbers.length * 16);
  numbers.forEach(([tag, value], index) => {
    bytes.writeUInt32LE(tag, head + index * 16);
    bytes.writeUInt32LE(6, head + index * 16 + 4);
    bytes.writeInt32LE(value, head + index * 16 + 8);
  });
  return bytes;
};

/** RTF as a mail keeps it, in the form that is not compressed. */
const storedRtf = (rtf: string): Buffer => {
  const bytes = Buffer.alloc(16 + rtf.length);
  bytes.writeUInt32LE(rtf.length + 12, 0);
  bytes.writeUInt32LE(rtf.length, 4);
  bytes.write(`MELA\0\0\0\0${rtf}`, 8, 'latin1');
  return bytes;
};

const recipient = (name: string, address: string): MsgFolder => ({
  '__properties_version1.0': properties(8, [[0x0c150003, 1]]),
  [stream('3001', TEXT)]: wide(name),
  [stream('39FE', TEXT)]: wide(address),
});

/** The identifiers of appointments and of their place. */
const APPOINTMENT = Buffer.from('0220060000000000c000000000000046', 'hex');
const namedPlace = (place: string): MsgFolder => {
  const entry = Buffer.alloc(8);
  entry.writeUInt32LE(0x8208, 0);
  entry.writeUInt16LE(3 << 1, 4);
  return {
    '__nameid_version1.0': {
      [stream('0002', BINARY)]: APPOINTMENT,
      [stream('0003', BINARY)]: entry,
      [stream('0004', BINARY)]: Buffer.alloc(0),
    },
    [stream('8000', TEXT)]: wide(place),
  };
};

const folderOf = (content: MsgContent, head: number): MsgFolder => {
  const { subject = '', body, oldBody, html, rtf, codePage, kind = 'IPM.Note', attachments = [] } = content;
  const folder: Record<string, Buffer | MsgFolder> = {
    '__properties_version1.0': properties(
      head,
      codePage === undefined
        ? []
        : [
            [0x3fde0003, codePage],
            [0x3ffd0003, codePage],
          ],
    ),
    [stream('001A', TEXT)]: wide(kind),
    [stream('0037', TEXT)]: wide(subject),
    [stream('0C1A', TEXT)]: wide('Ana Muñoz'),
    [stream('5D01', TEXT)]: wide('ana@example.org'),
    [stream('007D', TEXT)]: wide('Subject: x\r\nDate: Tue, 05 Mar 2024 12:00:00 +0200\r\n'),
    '__recip_version1.0_#00000000': recipient('Luis', 'luis@example.org'),
  };
  for (const [property, text] of Object.entries(content.texts ?? {})) folder[stream(property, TEXT)] = wide(text);
  if (content.place !== undefined) Object.assign(folder, namedPlace(content.place));
  if (body !== undefined) folder[stream('1000', TEXT)] = wide(body);
  if (oldBody !== undefined) folder[stream('1000', OLD_TEXT)] = oldBody;
  if (html !== undefined) folder[stream('1013', BINARY)] = Buffer.from(html);
  if (rtf !== undefined) folder[stream('1009', BINARY)] = storedRtf(rtf);
  attachments.forEach(({ name, bytes, mail, contentId }, index) => {
    folder[`__attach_version1.0_#0000000${index}`] = {
      '__properties_version1.0': properties(8, [[0x37050003, mail === undefined ? 1 : 5]]),
      [stream('3001', TEXT)]: wide(name),
      [stream('3707', TEXT)]: wide(name),
      ...(contentId === undefined ? {} : { [stream('3712', TEXT)]: wide(contentId) }),
      ...(mail === undefined
        ? { [stream('3701', BINARY)]: bytes ?? Buffer.alloc(0) }
        : { [stream('3701', '000D')]: folderOf(mail, 24) }),
    };
  });
  return folder;
};

/** A mail of Outlook. */
export const msgFile = (content: MsgContent): Buffer => {
  const entries: Entry[] = [{ name: 'Root Entry', type: ROOT, length: 0, children: [] }];
  const add = (parent: number, folder: MsgFolder): void => {
    for (const [name, value] of Object.entries(folder)) {
      entries[parent]?.children?.push(entries.length);
      if (Buffer.isBuffer(value))
        entries.push({ name, type: STREAM, length: value.length, binaryProvider: () => new Uint8Array(value) });
      else {
        entries.push({ name, type: FOLDER, length: 0, children: [] });
        add(entries.length - 1, value);
      }
    }
  };
  add(0, folderOf(content, 32));
  return Buffer.from(burn(entries));
};
