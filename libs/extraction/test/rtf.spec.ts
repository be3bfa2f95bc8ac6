import fc from 'fast-check';
import { DamagedFile, ExtractionRefusal, LimitExceeded, NoTextFound } from '../src/errors';
import { RtfReader } from '../src/readers/rtf';
import { headingsOf, readWith, tablesOf } from './support/reading';

const reader = new RtfReader();
const read = async (content: string) => (await readWith(reader, `{\\rtf1\\ansi ${content}}`)).document;

describe('a document in RTF', () => {
  it('an RTF document gives its paragraphs and metadata', async () => {
    const info =
      '{\\info{\\title Informe}{\\author Ana Gil}{\\creatim\\yr2020}{\\revtim\\yr2024\\mo3\\dy5\\hr10\\min0}{\\nofchars 5}}';
    expect(await read(`${info}Uno\\par dos\\tab 3\\line fin\\par`)).toMatchObject({
      text: 'Uno\n\ndos\t3\nfin',
      title: 'Informe',
      author: 'Ana Gil',
      date: '2024-03-05T10:00:00.000Z',
    });
  });
  it('text in document and font code pages and Unicode is read', async () => {
    const fonts =
      '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset128 MS Mincho{\\*\\falt x};}}';
    const content =
      "\\f0 a\\'f1o {\\f1\\'cc\\'e8\\'f0} {\\f2\\'83\\'5d\\'83\\'8b} \\uc1\\u8364? \\uc2\\u-10187??\\u-8928??{\\uc0\\u241}";
    expect((await read(fonts + content)).text).toBe('año Мир ゾル € 𝔠ñ');
  });
  it('characters from control words and escapes are written', async () => {
    expect((await read('\\ldblquote a\\rdblquote\\emdash b\\~c\\_d\\{e\\}\\\\f')).text).toBe('“a”—b\u00a0c-d{e}\\f');
  });
  it('headings get the level of their style or paragraph', async () => {
    const styles = '{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 Titulo;}{\\s2\\sbasedon0 heading 2;}}';
    const document = await read(
      `${styles}\\pard\\s1 Uno\\par\\pard\\s2 Dos\\par\\pard\\outlinelevel2 Tres\\par\\pard texto\\par`,
    );
    expect(headingsOf(document)).toEqual(['1 Uno', '2 Dos', '3 Tres']);
  });
  it('RTF tables have their header', async () => {
    const row = (...cells: string[]): string => `\\trowd\\pard\\intbl ${cells.join('\\cell ')}\\cell\\row `;
    const document = await read(
      `\\pard antes\\par ${row('Zona', 'Importe')}${row('Sur', '10\\par euros')}\\pard fin\\par`,
    );
    expect(document.text).toBe('antes\n\nZona | Importe\nSur | 10 euros\n\nfin');
    expect(tablesOf(document)).toMatchObject([{ header: 'Zona | Importe', rows: ['Sur | 10 euros'] }]);
  });
  it('notes follow their paragraph', async () => {
    expect((await read('El plazo{\\super\\chftn}{\\footnote\\pard Anexo.} corre.\\par Fin')).text).toBe(
      'El plazo corre.\n\nAnexo.\n\nFin',
    );
  });
  it('headers and footers of pages stand once, comments behind their paragraph', async () => {
    const header = '{\\headerr\\pard Archivo Real\\par Page 3\\par}';
    const comment = '{\\*\\atnid AG}{\\*\\atnauthor Ana}\\chatn{\\*\\annotation{\\*\\atndate 9}Seguro?\\par}';
    const content = `${header}{\\footer Registro 88214\\par}uno${comment}\\par dos\\sect${header}tres`;
    expect((await read(content)).text.split('\n\n')).toEqual([
      'Archivo Real',
      'uno',
      'Seguro?',
      'dos',
      'tres',
      'Registro 88214',
    ]);
  });
  it('control words inside a header do not end its line', async () => {
    const header =
      '{\\headerr{\\b Ayuntamiento de }{\\lang3082\\fs20 Olite}{\\b  - Exp. }{\\i 12/2024}\\par Folio\\cell 7\\row}';
    expect((await read(`${header}uno`)).text.split('\n\n')).toEqual([
      'Ayuntamiento de Olite - Exp. 12/2024',
      'Folio 7',
      'uno',
    ]);
  });
  it.each([
    [
      'a comment inside a footnote',
      'uno{\\footnote nota {\\*\\annotation comentario\\par}sigue\\par} tras la nota\\par dos\\par',
      ['uno tras la nota', 'comentario', 'nota sigue', 'dos'],
    ],
    [
      'a header that begins twice in its group',
      '{\\header{\\footnote nota}\\header Archivo\\par}uno\\par dos\\par',
      ['Archivo', 'uno', 'nota', 'dos'],
    ],
    ['a header inside a header', '{\\header{\\header Archivo\\par}Real\\par}uno\\par', ['Archivo', 'Real', 'uno']],
  ])('%s loses no text behind it', async (_what, content, blocks) => {
    expect((await read(content)).text.split('\n\n')).toEqual(blocks);
  });
  it('pictures, fields, hidden and unknown content are left out', async () => {
    const content =
      'a{\\pict 0123}{\\*\\unknown u}{\\field{\\*\\fldinst HYPERLINK x}{\\fldrslt enlace}}{\\v oculto}{\\deleted viejo}\\bin5 {{{{{b';
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
  ])('an RTF document that %s is refused with its reason', async (_why, content, refusal) => {
    await expect(readWith(reader, content)).rejects.toThrow(refusal);
  });
  it('any bytes give text or a known refusal', async () => {
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
