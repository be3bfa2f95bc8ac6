import { chunk, summarise } from '@acervo/analysis';
import fc from 'fast-check';
import { encode } from 'iconv-lite';
import { NoTextFound, UnsupportedFile } from '../src/errors';
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

const chinese = '人人生而自由,在尊嚴和權利上一律平等。他們賦有理性和良心。\n';
const emoji = 'Hola 😀, qué tal 🏡';

describe('a text file', () => {
  it.each([
    ['windows-1252', spanish],
    ['utf-8', spanish],
    ['utf16le', spanish],
    ['utf16be', spanish],
    ['utf32le', spanish],
    ['utf32be', spanish],
    ['utf16le', russian],
    ['utf16be', russian],
    ['utf32le', russian],
    ['utf32be', russian],
    ['utf16le', japanese],
    ['utf16be', japanese],
    ['utf32le', japanese],
    ['utf32be', japanese],
    ['utf16le', chinese],
    ['utf16be', chinese],
    ['utf16le', emoji],
    ['utf32be', emoji],
    ['windows-1251', russian],
    ['koi8-r', russian],
    ['shift_jis', japanese.repeat(3)],
    ['iso-8859-2', polish],
  ])('a text file in %s gives its characters', async (encoding, written) => {
    expect(await text(encode(written, encoding))).toBe(written);
  });
  it.each(['utf16le', 'utf16be', 'utf32le', 'utf32be'])(
    'a text in %s with a byte order mark is read',
    async (encoding) => {
      for (const written of [spanish, russian, japanese, chinese])
        expect(await text(encode(written, encoding, { addBOM: true }))).toBe(written);
    },
  );
  it('a text in UTF-16 that lost its last byte is read up to there', async () => {
    expect(await text(encode(spanish, 'utf16le').subarray(0, -1))).toContain('Cuesta 30 €');
  });
  it.each([
    ['between its letters', Buffer.from('La re\0unión\0 será\0 mañ\0ana'), 'La reunión será mañana'],
    [
      'in a gap',
      Buffer.concat([Buffer.from('antes\n'), Buffer.alloc(20_000), Buffer.from('después')]),
      'antes\ndespués',
    ],
    ['before its beginning', Buffer.concat([Buffer.alloc(20_000), Buffer.from('después')]), 'después'],
    ['in Windows-1252', encode('La re\0unión será mañana', 'windows-1252'), 'La reunión será mañana'],
  ])('a text with zeros %s is read without them', async (_where, bytes, written) => {
    expect(await text(bytes)).toBe(written);
  });
  it('bytes by chance are refused as text, whatever encoding they resemble', async () => {
    const bytes = fc.uint8Array({ minLength: 200, maxLength: 2_000 }).filter((all) => new Set(all).size > 100);
    await fc.assert(
      fc.asyncProperty(bytes, async (all) => {
        await expect(text(Buffer.from(all))).rejects.toThrow(UnsupportedFile);
      }),
      { numRuns: 200 },
    );
  });
  it.each(['año', 'señor Núñez', 'café', 'Ÿ'])('one short line in Windows-1252 is read: %s', async (line) => {
    expect(await text(encode(line, 'windows-1252'))).toBe(line);
  });
  it('a text is read up to its limit, even on one line', async () => {
    expect(await text('a'.repeat(1_000), { characters: 1_000 })).toHaveLength(1_000);
    expect(await text('a'.repeat(2_000), { characters: 1_000 })).toMatch(
      /^a{500}\n\n\[Faltan aquí 1000 bytes.*\]\n\na{500}$/,
    );
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
  it('HTML in Markdown leaves only its text', async () => {
    const source = [
      '<div align="center">',
      '  <img src="logo.png" alt="logo" width="40"/>',
      '  <h1>Acta</h1>',
      '</div>',
      '',
      '<!-- borrador',
      '',
      'secreto -->',
      'La <b class="x">junta</b> acuerda<br>reparar la <a href="https://example.org/?a=1&b=2">cubierta</a>.',
      '',
      '<table><tr><td>Mayo</td><td>30</td></tr></table>',
      '<template><p>secreto</p></template><script>let secreto = 1 < 2;</script><style>p{}</style>',
      '<p hidden>secreto</p><my-widget data-a="secreto">fin</my-widget>',
    ].join('\n');
    expect((await markdown(source)).text.trim().split(/\n+/)).toEqual([
      'Acta',
      'La junta acuerda reparar la cubierta.',
      'Mayo 30',
      'fin',
    ]);
  });
  it('templates and attribute lists in Markdown are left out', async () => {
    const source =
      '# Acta {#acta .grande}\n{% include "x.md" %}\nHola {{ user.name }}, el total es {{ total }}.\n{: .nota}\n';
    const { text: written, title } = await markdown(source);
    expect(written.trim().split(/\n+/)).toEqual(['# Acta', 'Hola , el total es .']);
    expect(title).toBe('Acta');
  });
  it.each([
    ['code', '```html\n<div class="a">{{ x }}</div>\n```\n\ntexto `<b>` y ``a ` <i>`` fin'],
    ['comparisons', 'si a < b y c > d, o 1<2'],
    ['addresses', 'véase <https://example.org/a> o <ana@example.org>'],
    ['placeholders', 'escriba <nombre> y <apellido>'],
    ['a tag without an end', 'texto <b sin final\n\n# Título\n'],
    ['a comment without an end', 'texto <!-- sin final\n\n# Título\n'],
    ['formulas', '$x^{{2}}$ y $e^{-1}$'],
  ])('Markdown with %s stays unchanged', async (_what, source) => {
    expect((await markdown(source)).text).toBe(source);
  });
  it('an element without an end hides nothing', async () => {
    expect((await markdown('antes <template> después\n\n<b>fin</b>')).text).toBe('antes después\n\nfin');
  });
  it('headings and tables keep their ranges among HTML', async () => {
    const document = await markdown(
      '<p align="center">x</p>\n\n# <a name="a"></a>Acta\n\n| Mes | Total |\n|--|--|\n| <b>Mayo</b> | 30<br>€ |\n',
    );
    expect(headingsOf(document)).toEqual(['1 # Acta']);
    expect(tablesOf(document)).toEqual([{ title: null, header: '| Mes | Total |', rows: ['| Mayo | 30 € |'] }]);
  });
  it('chunks and the summary of Markdown have no tags', async () => {
    const paragraph = 'La comunidad <span style="color: red">acuerda</span> reparar la cubierta este año. ';
    const document = await markdown(`<div class="nota">\n\n${paragraph.repeat(60)}\n</div>\n`);
    const texts = [...chunk(document).map(({ text: each }) => each), summarise(document.text, 'es')];
    expect(texts.length).toBeGreaterThan(2);
    for (const each of texts) expect(each).not.toMatch(/[<>]|style|nota/);
  });
  it('Markdown that is only markup has no text', async () => {
    await expect(markdown('<img src="x.png">\n\n<!-- nada -->\n')).rejects.toThrow(NoTextFound);
  });
  it.each([
    ['opened tags', '<a b="'],
    ['opened comments', '<!-- '],
    ['opened placeholders', '{{ '],
    ['opened statements', '{% '],
    ['runs of backticks', '` `` '],
    ['nested templates', '<template><div '],
    ['attributes', '<a b c d= '],
  ])('Markdown with 100,000 %s is read in seconds', async (_what, part) => {
    const start = performance.now();
    await markdown(`texto ${part.repeat(100_000)}`);
    expect(performance.now() - start).toBeLessThan(5_000);
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
