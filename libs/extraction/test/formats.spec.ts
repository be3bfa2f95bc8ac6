import fc from 'fast-check';
import { encode } from 'iconv-lite';
import { DamagedFile, ExtractionRefusal, NoTextFound, PasswordProtected, UnsupportedFile } from '../src/errors';
import { endingOf, formats, isSupported, unreadByName, unsupportedReason } from '../src/formats';
import { detectFormat } from '../src/formats-detection';
import { InlineSource } from '../src/inline-source';
import { pdfFile, textPage } from './support/pdf-file';
import { zipFile } from './support/zip-file';

const pdf = pdfFile([textPage('hola')]);
const docx = zipFile({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w/>' });
const xlsx = zipFile({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<w/>' });
const odt = zipFile({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<x/>' }, { level: 0 });
const epub = zipFile({ mimetype: 'application/epub+zip', 'META-INF/container.xml': '<x/>' }, { level: 0 });
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const page = '<!DOCTYPE html><html><body>hola</body></html>';

/** A compound file whose directory, in its first sector after the header, has streams of these names. */
const compound = (...names: string[]): Buffer => {
  const bytes = Buffer.alloc(512 + 128 * (names.length + 1));
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(9, 30);
  ['Root Entry', ...names].forEach((name, index) => {
    const at = 512 + 128 * index;
    bytes.write(name, at, 'utf16le');
    bytes.writeUInt16LE(name.length * 2 + 2, at + 64);
    bytes.writeUInt8(index === 0 ? 5 : 2, at + 66);
  });
  return bytes;
};

const readerOf = async (name: string, bytes: Buffer | string): Promise<string> =>
  (await detectFormat({ name, bytes: Buffer.from(bytes as string) })).reader;

describe('the table of formats', () => {
  it('every ending, media type and kind of content has one format', () => {
    const endings = formats.flatMap((format) => format.endings);
    for (const all of [endings, formats.flatMap(({ mediaTypes }) => mediaTypes), formats.flatMap(({ kinds }) => kinds)])
      expect(new Set(all).size).toBe(all.length);
    for (const ending of endings) expect(isSupported(`a.${ending.toUpperCase()}`)).toBe(true);
  });
  it.each(['a', 'a.', 'a/b.c/d', '.', ''])('%p has no ending', (name) => {
    expect(endingOf(name)).toBe('');
    expect(unsupportedReason(name)).toBe('Files without an ending are read where they are plain text.');
  });
  it('archives get advice', () => {
    expect(unsupportedReason('todo.zip')).toContain('unpack it');
    expect(unreadByName('foto.gif')).toBe('Files of type .gif are not read yet.');
    expect(['LEEME', 'nota.xyz', 'acta.docx'].map(unreadByName)).toEqual([null, null, null]);
    expect(unsupportedReason('foto.gif')).toBe('Files of type .gif are not read yet.');
  });
});

describe('a file of keys or passwords', () => {
  it.each([
    'servidor.pem',
    'servidor.ppk',
    'servidor.env',
    'servidor.asc',
    'servidor.gpg',
    'servidor.pgp',
    'servidor.ovpn',
    'servidor.tfstate',
    'servidor.kdbx',
    'servidor.keytab',
    'id_rsa',
    'id_dsa',
    'id_ecdsa',
    'id_ed25519',
    '.env',
    '.env.local',
    'claves/ID_RSA',
    'claves/Servidor.PEM',
  ])('%s is not opened', (name) => {
    expect(unreadByName(name)).toBe('Files of keys and passwords are not opened.');
  });
  it.each(['key', 'p12', 'pfx', 'jks'])('a file that ends in %s is not opened', (ending) => {
    expect(unreadByName(`servidor.${ending}`)).not.toBeNull();
  });
  it.each(['env', 'pem', 'grid_rsa', 'id_rsa.txt', 'environment', 'dev.env.md'])(
    '%s is read by its content',
    (name) => {
      expect(unreadByName(name)).toBeNull();
    },
  );
  it('its text is refused before any reader sees it', async () => {
    const file = { name: 'id_rsa', bytes: Buffer.from('-----BEGIN OPENSSH PRIVATE KEY-----') };
    await expect(new InlineSource().extract(file)).rejects.toThrow('Files of keys and passwords are not opened.');
  });
});

describe('the format of a file', () => {
  it.each<[string, string, Buffer | string, string]>([
    ['a PDF', 'a.pdf', pdf, 'pdf'],
    ['a PDF called text', 'a.txt', pdf, 'pdf'],
    ['a PDF called Word', 'a.docx', pdf, 'pdf'],
    ['a PDF after something else', 'a.pdf', Buffer.concat([Buffer.from('\u0000junk\n', 'latin1'), pdf]), 'pdf'],
    ['a Word file', 'a.docx', docx, 'docx'],
    ['a Word file called PDF', 'a.pdf', docx, 'docx'],
    ['a workbook called Word', 'a.docx', xlsx, 'xlsx'],
    ['an OpenDocument text', 'a.odt', odt, 'opendocument'],
    ['a book called OpenDocument', 'a.odt', epub, 'epub'],
    ['a Word file that is cut off', 'a.docx', docx.subarray(0, 60), 'docx'],
    ['an image called text', 'a.txt', png, 'image'],
    ['a page called PDF', 'a.pdf', page, 'html'],
    ['a page called text', 'a.txt', page, 'text'],
    ['a page called CSV', 'a.csv', page, 'csv'],
    ['RTF called Word', 'a.docx', '{\\rtf1 hola}', 'rtf'],
    ['a message called Outlook mail', 'a.msg', 'From: ana@example.org\nSubject: x\n\nhola', 'eml'],
    ['an Outlook mail', 'a.msg', compound('__properties_version1.0'), 'msg'],
    ['a text that begins like an image', 'a.txt', 'BM es una empresa', 'text'],
    ['a text that begins like a program', 'a.md', 'MZ y otras siglas', 'markdown'],
    ['a text with a stray zero that begins like an image', 'a.txt', 'BM es una em\0presa', 'text'],
    ['a text without an ending', 'LEEME', 'hola', 'text'],
    ['a text of an unknown ending', 'nota.xyz', 'hola', 'text'],
    ['a page of an unknown ending', 'pagina.asp', page, 'html'],
    ['a mail without an ending', '1017', 'From: ana@example.org\nSubject: x\n\nhola', 'eml'],
    ['source code that begins like JSON', 'datos.js', '[["a", 1]].map(String)', 'text'],
    ['a text in UTF-16', 'a.txt', Buffer.from('\ufeffhola', 'utf16le'), 'text'],
    ['a text in UTF-16 without a mark', 'a.txt', Buffer.from('BM es una empresa', 'utf16le'), 'text'],
    ['a text in UTF-32', 'a.txt', encode('BM es una empresa', 'utf32be', { addBOM: true }), 'text'],
  ])('the format of %s follows its content before its name', async (_what, name, bytes, reader) => {
    expect(await readerOf(name, bytes)).toBe(reader);
  });

  it.each<[string, string, Buffer | string, new (...args: never[]) => ExtractionRefusal]>([
    ['an empty file', 'a.pdf', '', NoTextFound],
    ['a compound file of an unknown kind', 'a.docx', compound('Otro'), UnsupportedFile],
    ['an encrypted Word file', 'a.docx', compound('EncryptedPackage', 'EncryptionInfo'), PasswordProtected],
    ['an archive called text', 'a.txt', zipFile({ 'a.txt': 'hola' }), UnsupportedFile],
    ['unknown bytes called Word', 'a.docx', Buffer.from([0, 1, 2, 3, 4, 5]), DamagedFile],
    [
      'a program called text',
      'a.txt',
      Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(60)]),
      UnsupportedFile,
    ],
    ['bytes of an unknown ending', 'a.xyz', Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]), UnsupportedFile],
    ['bytes without an ending', 'LEEME', Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]), UnsupportedFile],
  ])('%s is refused with its reason', async (_what, name, bytes, refusal) => {
    await expect(readerOf(name, bytes)).rejects.toBeInstanceOf(refusal);
  });

  it('a file of two kinds has the format of its beginning', async () => {
    expect(await readerOf('a.pdf', Buffer.concat([pdf, docx]))).toBe('pdf');
    expect(await readerOf('a.pdf', Buffer.concat([docx, pdf]))).not.toBe('html');
    expect(await readerOf('a.html', Buffer.concat([png, Buffer.from(page)]))).toBe('image');
    expect(await readerOf('a.html', Buffer.concat([Buffer.from(page), pdf]))).toBe('html');
  });

  it('any bytes under any name get a deterministic format or refusal', async () => {
    const heads = fc.constantFrom(Buffer.alloc(0), pdf, docx, odt, epub, png, compound('Workbook'), Buffer.from(page));
    const ending = fc.constantFrom(...formats.flatMap((format) => format.endings), 'xyz', '');
    await fc.assert(
      fc.asyncProperty(
        heads,
        fc.uint8Array({ maxLength: 300 }),
        fc.nat(2_000),
        ending,
        async (head, tail, cut, end) => {
          const bytes = Buffer.concat([head.subarray(0, cut), tail]);
          const outcome = (): Promise<string> =>
            readerOf(`a.${end}`, bytes).catch((error: unknown) => {
              if (!(error instanceof ExtractionRefusal)) throw error;
              return error.message;
            });
          expect(await outcome()).toBe(await outcome());
        },
      ),
      { seed: 4, numRuns: 300 },
    );
  });
});
