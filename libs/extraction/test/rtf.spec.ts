import fc from 'fast-check';
import { DamagedFile, ExtractionRefusal, LimitExceeded, NoTextFound } from '../src/errors';
import { RtfReader } from '../src/readers/rtf';
import { headingsOf, readWith, tablesOf } from './support/reading';

const reader = new RtfReader();
const read = async (content: string) => (await readWith(reader, `{\\rtf1\\ansi ${content}}`)).document;

describe('a document in RTF', () => {
  it('gives its paragraphs and what it says of itself', async () => {
    const info =
      '{\\info{\\title Informe}{\\author Ana Gil}{\\creatim\\yr2020}{\\revtim\\yr2024\\mo3\\dy5\\hr10\\min0}{\\nofchars 5}}';
    expect(await read(`${info}Uno\\par dos\\tab 3\\line fin\\par`)).toMatchObject({
      text: 'Uno\n\ndos\t3\nfin',
      title: 'Informe',
      author: 'Ana Gil',
      date: '2024-03-05T10:00:00.000Z',
    });
  });
  it('reads text in the code page of the document, of the font, and in Unicode', async () => {
    const fonts =
      '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Mincho{\\*\\falt x};}}';
    const content =
      "\\f0 a\\'f1o {\\f1\\'cc\\'e8\\'f0} {\\f2\\'83\\'5d\\'83\\'8b} \\uc1\\u8364? \\uc2\\u-10187??\\u-8928??{\\uc0\\u241}";
    expect((await read(fonts + content)).text).toBe('año Мир ゾル € 𝔠ñ');
  });
  it('writes the characters that have words, and escaped ones', async () => {
    expect((await read('\\ldblquote a\\rdblquote\\emdash b\\~c\\_d\\{e\\}\\\\f')).text).toBe('“a”—b\u00a0c-d{e}\\f');
  });
  it('knows headings by the level of their style or their own', async () => {
    const styles = '{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 Titulo;}{\\s2\\sbasedon0 heading 2;}}';
    const document = await read(
      `${styles}\\pard\\s1 Uno\\par\\pard\\s2 Dos\\par\\pard\\outlinelevel2 Tres\\par\\pard texto\\par`,
    );
    expect(headingsOf(document)).toEqual(['1 Uno', '2 Dos', '3 Tres']);
  });
  it('has tables with their header', async () => {
    const row = (...cells: string[]): string => `\\trowd\\pard\\intbl ${cells.join('\\cell ')}\\cell\\row `;
    const document = await read(
      `\\pard antes\\par ${row('Zona', 'Importe')}${row('Sur', '10\\par euros')}\\pard fin\\par`,
    );
    expect(document.text).toBe('antes\n\nZona | Importe\nSur | 10 euros\n\nfin');
    expect(tablesOf(document)).toMatchObject([{ header: 'Zona | Importe', rows: ['Sur | 10 euros'] }]);
  });
  it('puts notes after their paragraph', async () => {
    expect((await read('El plazo{\\super\\chftn}{\\footnote\\pard Anexo.} corre.\\par Fin')).text).toBe(
      'El plazo corre.\n\nAnexo.\n\nFin',
    );
  });
  it('leaves out pictures, fields, headers, hidden and deleted text, and what it does not know', async () => {
    const content =
      'a{\\pict 0123}{\\header h}{\\*\\unknown u}{\\field{\\*\\fldinst HYPERLINK x}{\\fldrslt enlace}}{\\v oculto}{\\deleted viejo}\\bin5 {{{{{b';
    expect((await read(content)).text).toBe('aenlaceb');
  });
});

describe('a document in RTF that cannot be read', () => {
  it.each([
    ['is cut', '{\\rtf1 hola', DamagedFile],
    ['is something else', 'hola', DamagedFile],
    ['has no text', '{\\rtf1\\par}', NoTextFound],
    ['nests too deeply', `{\\rtf1 ${'{'.repeat(100_000)}`, LimitExceeded],
    ['claims a picture longer than itself', '{\\rtf1 a\\bin2000000000 x}', DamagedFile],
  ])('because it %s says so', async (_why, content, refusal) => {
    await expect(readWith(reader, content)).rejects.toThrow(refusal);
  });
  it('is refused in the known ways, whatever its bytes', async () => {
    const piece = fc.oneof(
      fc.constantFrom('{', '}', '\\', '\\u', '\\bin', "\\'", '\\par ', '\\cell', '\\row', '\\footnote', '9', '-'),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const result: unknown = await readWith(reader, `{\\rtf1${pieces.join('')}}`).catch((error: unknown) => error);
        if (result instanceof Error) expect(result).toBeInstanceOf(ExtractionRefusal);
      }),
    );
  });
});
