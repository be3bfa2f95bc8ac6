import fc from 'fast-check';
import { defaultLimits, FileTooLarge, InlineSource, NoTextFound, UnsupportedFile } from './index';

const MOST_BYTES = 1_000;
const source = new InlineSource({ ...defaultLimits, fileBytes: MOST_BYTES });

const read = async (name: string, bytes: Buffer | string) =>
  (await source.extract({ name, bytes: Buffer.from(bytes as string) })).document;
const spanish = 'La reunión será mañana. ¿Vendrás? Cuesta 30 €.';

describe('a text file', () => {
  it.each([
    ['UTF-8', Buffer.from(spanish)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${spanish}`)],
    ['UTF-16, little end first', Buffer.from(`\ufeff${spanish}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${spanish}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from(spanish, 'utf16le')],
    ['Windows-1252', Buffer.from(spanish.replace('€', '\u0080'), 'latin1')],
  ])('a text file in %s gives its text', async (_encoding, bytes) => {
    expect((await read('nota.txt', bytes)).text).toBe(spanish);
  });
  it('NUL and lone surrogates are dropped, other text is kept', async () => {
    expect((await read('a.txt', 'a\0b')).text).toBe('ab');
  });
  it('line ends are normalised', async () => {
    expect((await read('a.txt', 'a\r\nb\rc')).text).toBe('a\nb\nc');
  });
  it('the first line of a text file is its title', async () => {
    expect((await read('a.txt', '\n  Póliza\n\ntexto')).title).toBe('Póliza');
  });
  it('any bytes give text that every store accepts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const result = await read('a.txt', Buffer.from(bytes)).catch((error: unknown) => error);
        if (result instanceof Error) return expect([NoTextFound, UnsupportedFile]).toContain(result.constructor);
        const { text } = result as { text: string };
        expect([text.includes('\0'), text.isWellFormed()]).toEqual([false, true]);
      }),
    );
  });
});

describe('a Markdown file', () => {
  it('Markdown keeps its source and has its headings', async () => {
    const { text, headings, title } = await read('a.md', '# Acta\n\ntexto\n\n```\n# no\n```\n## Cuentas ##\nfin');
    expect(title).toBe('Acta');
    expect(headings.map(({ level, title: name, start, end }) => [level, name, text.slice(start, end)])).toEqual([
      [1, 'Acta', '# Acta'],
      [2, 'Cuentas', '## Cuentas ##'],
    ]);
  });
  it('the title of Markdown comes from its front matter', async () => {
    const { text, title } = await read('a.md', '---\ntitle: "Plan"\n---\n# Otra\n');
    expect([title, text]).toEqual(['Plan', '# Otra\n']);
  });
});

describe('a file that gives no text', () => {
  it.each([
    ['empty', 'a.txt', '', NoTextFound],
    ['blank', 'a.md', ' \n\t ', NoTextFound],
    ['something else under the name of text', 'a.txt', Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]), UnsupportedFile],
    ['of a type that is not read', 'a.gif', 'x', UnsupportedFile],
    ['without an ending, and no text', 'Makefile', Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]), UnsupportedFile],
    ['too large', 'a.txt', Buffer.alloc(MOST_BYTES + 1, 97), FileTooLarge],
  ])('a file that is %s is refused with its reason', async (_why, name, bytes, error) => {
    await expect(read(name, bytes as Buffer)).rejects.toThrow(error);
  });
});
