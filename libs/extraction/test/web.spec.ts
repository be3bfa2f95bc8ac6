import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encode } from 'iconv-lite';
import { LimitExceeded, NoTextFound } from '../src/errors';
import { HtmlReader, MhtmlReader } from '../src/readers/web';
import { headingsOf, readWith, tablesOf } from './support/reading';

const reader = new HtmlReader();
const read = async (html: Buffer | string, limits = {}) => (await readWith(reader, html, limits)).document;

const PARAGRAPH = 'La comunidad acuerda, con los votos que constan en el acta, reparar la cubierta este mismo año. ';
const ARTICLE = `<h1>Acta de la junta</h1><p>${PARAGRAPH.repeat(4)}</p><h2>Obras</h2><p>${PARAGRAPH.repeat(3)}</p>`;

/** A page as one table: a title, a menu beside the article, and a foot. */
const layoutTable = (foot: string): string =>
  `<body><table><tr><td>Ayuntamiento</td></tr><tr><td><a href="/a">Inicio</a><a href="/b">Servicios</a></td>
   <td>${ARTICLE}</td></tr><tr><td>${foot}</td></tr></table></body>`;

describe('a page of the web', () => {
  it('a page gives only its main content', async () => {
    const document = await read(
      `<!DOCTYPE html><html lang="es-ES"><head><title>Acta</title><meta name="author" content="Ana Gil">
       <meta property="article:modified_time" content="2024-01-31T13:00:00+01:00"></head><body>
       <nav><a href="/">Inicio</a> <a href="/x">Contacto</a></nav><article>${ARTICLE}</article>
       <footer>Aviso legal y cookies</footer></body></html>`,
    );
    expect(document).toMatchObject({
      title: 'Acta',
      author: 'Ana Gil',
      date: '2024-01-31T12:00:00.000Z',
      language: 'es-ES',
    });
    expect(document.text).toContain('reparar la cubierta');
    expect(document.text).not.toMatch(/Inicio|Aviso legal/);
    expect(document.headings.map(({ title }) => title)).toContain('Obras');
  });
  it.each([
    ['a telephone in the footer', '<footer><p>Teléfono: 948 55 01 27</p></footer>', /\n\nTeléfono: 948 55 01 27$/],
    ['hours in an aside', '<aside><h2>Horario</h2><p>Viernes cerrado</p></aside>', /\n\nHorario\n\nViernes cerrado$/],
    [
      'fees that are folded',
      '<details><summary>Tasas</summary><table><tr><th>Tasa</th><th>Euros</th></tr><tr><td>Copia</td><td>7,35</td></tr></table></details>',
      /Copia \| 7,35$/,
    ],
  ])('beside an article %s are read once', async (_what, beside, expected) => {
    const { text } = await read(`<body><nav><a href="/">Inicio</a></nav><article>${ARTICLE}</article>${beside}</body>`);
    expect(text).toMatch(expected);
    expect(text.match(/reparar la cubierta/g)).toHaveLength(7);
  });
  it('beside an article lists of links and footers without data are left out', async () => {
    const links =
      '<aside><ul><li><a href="/a">Actas de 2023</a></li><li><a href="/b">Actas de 2022</a></li></ul></aside>';
    const { text } = await read(`<body><article>${ARTICLE}</article>${links}<footer>Aviso legal</footer></body>`);
    expect(text).not.toMatch(/Actas de|Aviso legal/);
  });
  it('a table that lays out the page does not repeat its article', async () => {
    const document = await read(layoutTable('Plaza Mayor'));
    expect(document.text.match(/reparar la cubierta/g)).toHaveLength(7);
    expect(document.headings.filter(({ title }) => title === 'Obras')).toHaveLength(1);
  });
  it('a data table inside a layout table is read once', async () => {
    const hours = '<table><tr><th>Día</th><th>Horario</th></tr><tr><td>Lunes</td><td>9 a 14</td></tr></table>';
    const { text } = await read(layoutTable(hours));
    expect(text.match(/reparar la cubierta/g)).toHaveLength(7);
    expect(text.match(/Lunes \| 9 a 14/g)).toHaveLength(1);
  });
  it('a data table longer than the article beside it stays', async () => {
    const rows = Array.from({ length: 100 }, (_row, index) => `<tr><td>Vivienda ${index}</td><td>${index} €</td></tr>`);
    const fees = `<aside><table><tr><th>Vivienda</th><th>Cuota</th></tr>${rows.join('')}</table></aside>`;
    const named = '<p><b>Vivienda</b> <b>Cuota</b> <b>Vivienda 1</b> <b>Vivienda 2</b></p>';
    const document = await read(`<body><article>${ARTICLE}${named}</article>${fees}</body>`);
    expect(document.text.match(/reparar la cubierta/g)).toHaveLength(7);
    expect(tablesOf(document)[0]?.rows).toHaveLength(100);
  });
  it('a form in a table stays on a page read whole', async () => {
    const form = '<table><tr><td>Alta<form>Rellene la solicitud</form></td></tr></table>';
    const lists = '<ul><li>Padrón</li><li>Licencias</li><li>Tributos</li></ul>'.repeat(60);
    const { text } = await read(`<body><article>${ARTICLE}</article>${form}${lists}</body>`);
    expect(text).toContain('Rellene la solicitud');
  });
  it('a page without a dominant article gives everything', async () => {
    const lists = ['uno', 'dos'].map(
      (name) => `<h2>Lista ${name}</h2><ul><li>primero de ${name}</li><li>segundo</li></ul>`,
    );
    const document = await read(`<body>${lists.join('')}<p>fin</p></body>`);
    expect(headingsOf(document)).toEqual(['2 Lista uno', '2 Lista dos']);
    expect(document.text).toContain('• primero de dos\n\n• segundo\n\nfin');
  });
  it('a page with only navigation gives its text', async () => {
    expect((await read('<body><nav><p>Solo hay un menú</p></nav></body>')).text).toBe('Solo hay un menú');
  });
  it('tables of a page have their header', async () => {
    const document = await read(
      '<p>Gastos</p><table><tr><th>Mes</th><th>Total</th></tr><tr><td>Mayo</td><td>30 <b>€</b></td></tr></table>',
    );
    expect(tablesOf(document)).toEqual([{ title: null, header: 'Mes | Total', rows: ['Mayo | 30 €'] }]);
  });
  it('a page with thousands of rows skips article detection', async () => {
    const row = '<tr><td>Mayo</td><td>30</td></tr>';
    const document = await read(`<table>${row.repeat(3_000)}</table><nav>menú</nav>`);
    expect(tablesOf(document)[0]?.rows).toHaveLength(2_999);
    expect(document.text).not.toContain('menú');
  });
  it('hidden content of a page is left out', async () => {
    const hidden =
      '<p hidden>secreto</p><div style="display: none">secreto</div><script>"secreto"</script><style>secreto{}</style>';
    expect((await read(`<body><p>visible</p>${hidden}<noscript>secreto</noscript></body>`)).text).toBe('visible');
  });
  it.each([
    ['that it names', encode('<meta charset="windows-1251"><p>достоинство и права</p>', 'windows-1251')],
    ['that its byte order mark shows', encode('<p>достоинство и права</p>', 'utf16le', { addBOM: true })],
    ['that its byte order mark of four bytes shows', encode('<p>достоинство и права</p>', 'utf32be', { addBOM: true })],
    ['that its bytes without a mark show', encode('<p>достоинство и права</p>', 'utf32le')],
    ['that its bytes have, despite the declared one', Buffer.from('<meta charset="utf-8"><p>достоинство и права</p>')],
  ])('a page is read in the encoding %s', async (_which, bytes) => {
    expect((await read(bytes)).text).toBe('достоинство и права');
  });
  it('declared Latin-1 is read as Windows-1252', async () => {
    const bytes = encode(
      '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>“30 €”</p>',
      'windows-1252',
    );
    expect((await read(bytes)).text).toBe('“30 €”');
  });
});

describe('a hostile page', () => {
  it('a hostile page causes no fetch and runs no script', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const at = (name: string): string => `http://127.0.0.1:${port}/${name}`;
    const { text } = await read(
      `<head><base href="${at('')}"><link rel="stylesheet" href="${at('css')}"><meta http-equiv="refresh" content="0;url=${at('next')}"></head>
       <body><p>texto</p><img src="${at('img')}"><iframe src="${at('frame')}"></iframe><script src="${at('js')}"></script>
       <script>document.body.textContent = 'cambiado'</script><object data="${at('object')}"></object></body>`,
    );
    await new Promise((done) => setTimeout(done, 50));
    await new Promise((done) => server.close(done));
    expect([text, asked]).toEqual(['texto', []]);
  });
  it('a page that is nested 100,000 times is refused', async () => {
    await expect(read(`<p>x</p>${'<div>'.repeat(100_000)}`)).rejects.toThrow(LimitExceeded);
  });
  it('a page that is nested up to the limit is read in seconds', async () => {
    const start = performance.now();
    const { text } = await read(`<p>hola</p>${'<div>'.repeat(400)}fin${'</div>'.repeat(400)}`, { elementDepth: 500 });
    expect(text).toBe('hola\n\nfin');
    expect(performance.now() - start).toBeLessThan(5_000);
  });
  it('a page of 60,000 paragraphs is read with its title', async () => {
    const { text, title } = await read(`<title>Acta</title>${'<p>x</p>'.repeat(60_000)}`);
    expect([text.match(/x/g)?.length, title]).toEqual([60_000, 'Acta']);
  });
  it('a page beyond the length limit is refused', async () => {
    await expect(read(`<p>${'x'.repeat(2_000)}</p>`, { characters: 1_000 })).rejects.toThrow(LimitExceeded);
  });
  it('a page without text is refused with its reason', async () => {
    await expect(read('<body><img src="x.png"></body>')).rejects.toThrow(NoTextFound);
  });
});

describe('a page that a browser saved in one file', () => {
  const part = (type: string, body: string): string => `--b\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
  const saved = (...parts: readonly string[]): Buffer =>
    Buffer.from(
      `From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`,
    );
  it('its frames follow the page, with their tables', async () => {
    const bytes = saved(
      part('text/html; charset=utf-8', '<title>Puerto</title><h1>Puerto</h1><p>Horario de Mundaka.</p>'),
      part(
        'text/html; charset=utf-8',
        '<table><tr><th>Zona</th><th>Tarifa</th></tr><tr><td>Alta</td><td>30</td></tr></table>',
      ),
      part('text/html', '<script>track()</script>'),
      part('image/png', 'png'),
    );
    const { document, report } = await readWith(new MhtmlReader(), bytes);
    expect(document.text).toBe('Horario de Mundaka.\n\nZona | Tarifa\nAlta | 30');
    expect(tablesOf(document)).toEqual([{ title: null, header: 'Zona | Tarifa', rows: ['Alta | 30'] }]);
    expect(report?.parts[0]).toMatchObject({ counted: 4, read: 2 });
  });
});
