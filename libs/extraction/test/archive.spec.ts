import { DamagedFile, LimitExceeded, PasswordProtected } from '../src/errors';
import { Archive, assertZip, walkXml, type XmlElement } from '../src/readers/archive';
import { ROOMY } from './support/reading';
import { encryptedZip, linkedZip, overlappingZip, renamedZip, zeros, zipFile } from './support/zip-file';

const entries = { 'a.txt': 'uno', 'b.txt': 'dos' };
const open = (bytes: Buffer, limits = {}): Promise<Archive> => Archive.open(bytes, { ...ROOMY, ...limits });

describe('an archive', () => {
  it('entries are found by name', async () => {
    const archive = await open(zipFile({ ...entries, 'carpeta/año.txt': 'tres' }));
    expect((await archive.bytes('carpeta/año.txt')).toString()).toBe('tres');
    expect(archive.names).toEqual(['a.txt', 'b.txt', 'carpeta/año.txt']);
  });
  it('entries are found with any slash and any case', async () => {
    const archive = await open(zipFile({ 'Word\\Document.xml': 'x' }));
    expect(archive.has('word/document.xml')).toBe(true);
  });
  it('a name that leads outside is an ordinary name', async () => {
    const archive = await open(zipFile({ '../../etc/passwd': 'x' }));
    expect((await archive.bytes('../../etc/passwd')).toString()).toBe('x');
  });
  it('a symbolic link is never followed', async () => {
    const archive = await open(linkedZip({ 'content.xml': '/etc/passwd' }));
    expect(archive.has('content.xml')).toBe(false);
  });
  it('a nested archive is returned as bytes', async () => {
    const inner = zipFile(entries);
    expect(await (await open(zipFile({ 'inner.zip': inner }))).bytes('inner.zip')).toEqual(inner);
  });
});

describe('an archive that does harm', () => {
  it('inflation stops at the total limit of all entries', async () => {
    const archive = await open(zipFile({ a: zeros(600_000), b: zeros(600_000) }), { inflatedBytes: 1_000_000 });
    await archive.bytes('a');
    await expect(archive.bytes('b')).rejects.toThrow(LimitExceeded);
  });
  it('inflation stops at an entry with an excessive ratio', async () => {
    const archive = await open(zipFile({ bomb: zeros(20_000_000) }), { ratio: 100 });
    let seen = 0;
    const read = async (): Promise<void> => {
      for await (const chunk of archive.stream('bomb')) seen += chunk.length;
    };
    await expect(read()).rejects.toThrow(LimitExceeded);
    expect(seen).toBeLessThan(3_000_000);
  });
  it('small entries may have any ratio', async () => {
    expect(await (await open(zipFile({ blank: zeros(900_000) }), { ratio: 10 })).bytes('blank')).toHaveLength(900_000);
  });
  it('an archive with too many entries is refused', async () => {
    await expect(open(zipFile(entries), { entries: 1 })).rejects.toThrow(LimitExceeded);
  });
  it.each([
    ['shares bytes between entries', overlappingZip(entries)],
    ['has a name twice', renamedZip(entries, 'b.txt', 'a.txt')],
    ['is cut in the middle', zipFile(entries).subarray(0, 60)],
    ['has lost its beginning', zipFile(entries).subarray(20)],
    ['is no archive', Buffer.from('PK, but nothing else of one')],
    ['is empty', Buffer.alloc(0)],
  ])('an archive that %s is damaged', async (_how, bytes) => {
    await expect(open(bytes)).rejects.toThrow(DamagedFile);
  });
  it('an archive with changed bytes is damaged', async () => {
    const bytes = zipFile({ 'a.txt': 'x'.repeat(1_000) }, { level: 0 });
    bytes[500] = 0;
    await expect((await open(bytes)).bytes('a.txt')).rejects.toThrow(DamagedFile);
  });
  it('an archive with encrypted entries is password protected', async () => {
    await expect((await open(encryptedZip(entries))).bytes('a.txt')).rejects.toThrow(PasswordProtected);
  });
});

describe('a file that should be an archive', () => {
  const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
  it('a file encrypted by Office is password protected', () => {
    const bytes = Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]);
    expect(() => assertZip(bytes)).toThrow(PasswordProtected);
  });
  it('another compound file in place of an archive is damaged', () => {
    expect(() => assertZip(compound)).toThrow(DamagedFile);
  });
  it('any other file in place of an archive is damaged', () => {
    expect(() => assertZip(Buffer.from('hola'))).toThrow(DamagedFile);
  });
});

describe('a part in XML', () => {
  const namespaces = new Map([['urn:a', 'a']]);
  const walk = async (xml: string | Buffer, elementDepth = 50): Promise<string[]> => {
    const seen: string[] = [];
    const opened = new Map([['a:x', (element: XmlElement) => seen.push(`x ${element.get('id') ?? '-'}`)]]);
    const closed = new Map([['a:x', () => seen.push('/x')]]);
    const chunks = async function* (): AsyncGenerator<Buffer> {
      for (const byte of Buffer.from(xml as string)) yield Buffer.from([byte]);
    };
    const whole = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from(xml as string);
    };
    const source = typeof xml === 'string' ? chunks() : whole();
    const text = (piece: string): number => seen.push(piece);
    await walkXml(source, { namespaces, opened, closed, text, skipped: new Set(['a:no']) }, { elementDepth });
    return seen;
  };
  it('XML names resolve by namespace, not by prefix', async () => {
    expect(await walk('<q:x xmlns:q="urn:a" id="1">á<q:no>b<q:x/></q:no></q:x>')).toEqual(['x 1', 'á', '/x']);
  });
  it('XML is read in UTF-16 and in its declared encoding', async () => {
    expect(await walk(Buffer.from('\ufeff<x xmlns="urn:a">ñ</x>', 'utf16le'))).toContain('ñ');
    expect(
      await walk(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><x xmlns="urn:a">ñ</x>', 'latin1')),
    ).toContain('ñ');
  });
  it('text around a control character is kept', async () => {
    expect((await walk('<x xmlns="urn:a">a\u0001b</x>')).join('')).toMatch(/a.?b/);
  });
  it.each([
    ['a document type', '<!DOCTYPE x><x/>'],
    ['entities that it declares', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'],
    ['an undefined entity', '<x>&e;</x>'],
    ['no end', '<x><y>'],
    ['crossed elements', '<x><y></x></y>'],
    ['nothing', ''],
  ])('XML with %s is damaged', async (_what, xml) => {
    await expect(walk(xml)).rejects.toThrow(DamagedFile);
  });
  it('XML that is nested too deeply is refused', async () => {
    await expect(walk('<x>'.repeat(60))).rejects.toThrow(LimitExceeded);
  });
});
