import { DamagedFile, LimitExceeded, NoTextFound, PasswordProtected } from '../src/errors';
import { EpubReader } from '../src/readers/epub';
import { epubFile } from './support/open-files';
import { headingsOf, pagesOf, readWith, tablesOf } from './support/reading';

const reader = new EpubReader();
const read = async (...pages: string[]) =>
  (await readWith(reader, epubFile(pages.map((page, index) => ({ name: `capítulo ${index}.xhtml`, page }))))).document;

describe('a book', () => {
  it('a book gives chapters in reading order, headings and metadata', async () => {
    const document = await read('<h1>Uno</h1><p>a</p>', '<h1>Dos</h1><h2>Dos, <em>bis</em></h2>');
    expect(document.text).toBe('Uno\n\na\n\nDos\n\nDos, bis');
    expect(headingsOf(document)).toEqual(['1 Uno', '1 Dos', '2 Dos, bis']);
    expect(document).toMatchObject({
      title: 'Informe & anexos',
      author: 'Ana Gil',
      date: '2024-03-05T10:00:00.000Z',
      language: 'es-ES',
    });
  });
  it('document types and entities in chapters are read without fetches', async () => {
    const page = `<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://localhost:1/x.dtd">
      <html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script/></head><body><p>a&nbsp;b&mdash;c</p></body></html>`;
    expect((await read(page)).text).toBe('a\u00a0b—c');
  });
  it('a chapter in a legacy encoding is read', async () => {
    const page = Buffer.from('<?xml version="1.0" encoding="windows-1252"?><p>a\u00f1o \u0080</p>', 'latin1');
    const { document } = await readWith(reader, epubFile([{ name: 'a.xhtml', page }]));
    expect(document.text).toBe('año €');
  });
  it.each([
    [
      '2',
      '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
      '<!DOCTYPE ncx PUBLIC "x" "y"><ncx><docTitle><text>no</text></docTitle><navMap><navPoint><navLabel><text>El &amp; viaje</text></navLabel><content src="a.xhtml"/></navPoint><navPoint><navLabel><text>lugar</text></navLabel><content src="b.xhtml#x"/></navPoint></navMap></ncx>',
    ],
    [
      '3',
      '<item id="n" href="toc.ncx" properties="scripted nav" media-type="application/xhtml+xml"/>',
      '<html><nav><ol><li><a href="a.xhtml">El &amp; <b>viaje</b></a></li><li><a href="b.xhtml#x">lugar</a></li></ol></nav></html>',
    ],
  ])('an untitled chapter gets its table of contents title, in EPUB %s', async (_version, item, contents) => {
    const chapters = [
      { name: 'a.xhtml', page: '<p>Salimos.</p>' },
      { name: 'b.xhtml', page: '<p>Llegamos.</p>' },
    ];
    const { document } = await readWith(reader, epubFile(chapters, { 'OEBPS/toc.ncx': contents }, item));
    expect([document.text, headingsOf(document)]).toEqual(['El & viaje\n\nSalimos.\n\nLlegamos.', ['1 El & viaje']]);
  });
  it('lists, tables and preformatted text are kept, scripts and hidden text not', async () => {
    const page = `<p>a<br/>b</p><ul><li>uno</li><li>dos</li></ul><ol start="3"><li>tres</li></ol><pre>x  y
z</pre><script>no()</script><p hidden="">no</p><p style="color:red; display: none">no</p>
      <table><tr><th>Año</th><th>Total</th></tr><tr><td>2023</td><td>5</td></tr></table>`;
    const document = await read(page);
    expect(document.text).toBe('a\nb\n\n• uno\n\n• dos\n\n3. tres\n\nx  y\nz\n\nAño | Total\n2023 | 5');
    expect(tablesOf(document)).toEqual([{ title: null, header: 'Año | Total', rows: ['2023 | 5'] }]);
  });
  it('a book with malformed pages is read', async () => {
    expect((await read('<p>a<b>b<p>c</i>d &bogus; <table><tr><td>e')).text).toBe('ab\n\ncd &bogus;\n\ne');
  });
});

describe('the chapters of a book', () => {
  const chapters = ['Uno', '', 'Dos'].map((text, index) => ({ name: `${index}.xhtml`, page: `<p>${text}</p>` }));
  it('each chapter is a page in the order of the spine', async () => {
    expect(pagesOf(await read('<h1>Uno</h1><p>a</p>', '<p>Dos</p>'))).toEqual(['1: Uno\n\na', '2: Dos']);
  });
  it('chapters without text or without their entry are left out, and counted', async () => {
    const item = '<item id="x" href="absent.xhtml" media-type="application/xhtml+xml"/>';
    const spine = '<spine><itemref idref="x"/>';
    const whole = epubFile(chapters, {}, item);
    const { document, report } = await readWith(reader, whole);
    expect(pagesOf(document)).toEqual(['1: Uno', '3: Dos']);
    expect(report?.parts).toEqual([
      { kind: 'CHAPTER', counted: 3, read: 2, leftOut: [{ reason: 'NO_TEXT', count: 1 }] },
    ]);
    const opf = `<package xmlns="http://www.idpf.org/2007/opf"><manifest>${item}<item id="c0" href="0.xhtml" media-type="application/xhtml+xml"/></manifest>${spine}<itemref idref="c0"/></spine></package>`;
    const broken = await readWith(reader, epubFile(chapters, { 'OEBPS/content.opf': opf }));
    expect(broken.report?.parts[0]).toMatchObject({ counted: 2, read: 1, leftOut: [{ reason: 'DAMAGED', count: 1 }] });
  });
  it('a chapter that the spine names twice is read once', async () => {
    const opf = `<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="c0" href="0.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c0"/><itemref idref="c0"/></spine></package>`;
    const { document, report } = await readWith(reader, epubFile(chapters, { 'OEBPS/content.opf': opf }));
    expect([document.text, report?.parts[0]?.counted]).toEqual(['Uno', 1]);
  });
});

describe('a book that cannot be read', () => {
  const encryption = `<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:CipherReference URI="OEBPS/a.xhtml"/></encryption>`;
  const fonts = encryption.replace('a.xhtml', 'font.ttf');
  const chapter = { name: 'a.xhtml', page: '<p>x</p>' };
  it.each([
    ['has encrypted chapters', epubFile([chapter], { 'META-INF/encryption.xml': encryption }), PasswordProtected],
    ['has no chapters', epubFile([]), NoTextFound],
    ['is cut', epubFile([chapter]).subarray(0, 600), DamagedFile],
    ['nests too deeply', epubFile([{ name: 'a.xhtml', page: '<div>'.repeat(1_000) }]), LimitExceeded],
  ])('a book that %s is refused with its reason', async (_why, bytes, refusal) => {
    await expect(readWith(reader, bytes)).rejects.toThrow(refusal);
  });
  it('a book with only obfuscated fonts is read', async () => {
    const bytes = epubFile([chapter], { 'META-INF/encryption.xml': fonts });
    expect((await readWith(reader, bytes)).document.text).toBe('x');
  });
});
