import fc from 'fast-check';
import { encode } from 'iconv-lite';
import { LimitExceeded, NoTextFound, UnsupportedFile } from '../src/errors';
import { cleanText, MarkdownReader, TextReader } from '../src/readers/text';
import { headingsOf, readWith, tablesOf } from './support/reading';

const text = async (bytes: Buffer | string, limits = {}): Promise<string> =>
  (await readWith(new TextReader(), bytes, limits)).document.text;
const markdown = async (source: string) => (await readWith(new MarkdownReader(), source)).document;

const spanish = 'La reunión será mañana. ¿Vendrás? Cuesta 30 €.';
const russian =
  'Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.';
const japanese = 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。';
const polish =
  'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa.';

describe('a text file', () => {
  it.each([
    ['windows-1252', spanish],
    ['utf-8', spanish],
    ['utf16le', spanish],
    ['utf16be', spanish],
    ['windows-1251', russian],
    ['koi8-r', russian],
    ['shift_jis', japanese.repeat(3)],
    ['iso-8859-2', polish],
  ])('a text file in %s gives its characters', async (encoding, written) => {
    expect(await text(encode(written, encoding))).toBe(written);
  });
  it.each(['año', 'señor Núñez', 'café', 'Ÿ'])('one short line in Windows-1252 is read: %s', async (line) => {
    expect(await text(encode(line, 'windows-1252'))).toBe(line);
  });
  it('a text is read up to its limit, even on one line', async () => {
    expect(await text('a'.repeat(1_000), { characters: 1_000 })).toHaveLength(1_000);
    await expect(text('a'.repeat(1_001), { characters: 1_000 })).rejects.toThrow(LimitExceeded);
  });
  it.each([
    ['nothing', '', NoTextFound],
    ['white space', ' \n\t\n', NoTextFound],
    ['a program', Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\x03\0>\0\x01', 'latin1'), UnsupportedFile],
  ])('a text file with %s is refused with its reason', async (_what, bytes, refusal) => {
    await expect(text(bytes)).rejects.toThrow(refusal);
  });
});

describe('cleaning', () => {
  it.each([
    ['NUL and control characters are removed', 'a\0b\u0007c\u009f', 'abc'],
    ['tabs are kept', 'a\tb', 'a\tb'],
    ['line ends are normalised', 'a\r\nb\rc\fd\u2028e', 'a\nb\nc\nd\ne'],
    ['letters and accents are combined', 'canció\u0301n an\u0303o'.replace('ó\u0301', 'o\u0301'), 'canción año'],
    ['half a character is replaced', 'a\ud800b', 'a\ufffdb'],
    ['byte order marks are removed', '\ufeffa', 'a'],
  ])('cleaning: %s', (_what, dirty, clean) => {
    expect(cleanText(dirty)).toBe(clean);
  });
  it('cleaning is idempotent and gives storable text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.integer({ min: 0, max: 0xffff })), (string, units) => {
        const clean = cleanText(string + String.fromCharCode(...units));
        expect(cleanText(clean)).toBe(clean);
        expect([clean.isWellFormed(), clean.includes('\0'), clean === clean.normalize('NFC')]).toEqual([
          true,
          false,
          true,
        ]);
      }),
    );
  });
});

describe('a Markdown file', () => {
  it('Markdown stays unchanged and has its headings', async () => {
    const source = '# Acta\n\nMesa\n====\n\ntexto\n\n~~~\n# no\n```\n# tampoco\n~~~\n## Cuentas ##\nfin\n\n---\n';
    const document = await markdown(source);
    expect(document.text).toBe(source);
    expect(headingsOf(document)).toEqual(['1 # Acta', '1 Mesa', '2 ## Cuentas ##']);
    expect(document.headings.map(({ title }) => title)).toEqual(['Acta', 'Mesa', 'Cuentas']);
  });
  it('tables of Markdown have their header', async () => {
    const source = 'antes\n\n| Mes | Total |\n|:----|------:|\n| Mayo | 30 |\nJunio | 40\n\n| no es | tabla |\n';
    expect(tablesOf(await markdown(source))).toEqual([
      { title: null, header: '| Mes | Total |', rows: ['| Mayo | 30 |', 'Junio | 40'] },
    ]);
  });
  it('the title comes from the front matter, which is left out', async () => {
    const { text: written, title } = await markdown('---\ntitle: "Plan de obra"\ndraft: true\n---\n# Otra\n');
    expect([title, written]).toEqual(['Plan de obra', '# Otra\n']);
  });
  it('every heading and table is a range of the source', async () => {
    const part = fc.constantFrom('# a', '## b\n', 'x | y', '|-|-|', '--|--', '```', '===', 'texto', '');
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 20 }), async (parts) => {
        const source = `título\n${parts.join('\n')}`;
        const { headings, tables } = await markdown(source);
        const places = [...headings, ...tables].sort((one, other) => one.start - other.start);
        places.forEach(({ start, end }, index) => {
          expect(start).toBeGreaterThanOrEqual(places[index - 1]?.end ?? 0);
          expect(end).toBeLessThanOrEqual(source.length);
        });
      }),
    );
  });
});
