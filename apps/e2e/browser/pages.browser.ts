/// <reference lib="dom" />
import { type Browser, chromium, type Page } from 'playwright-core';
import { freePort, Program, sample, temporary } from '../harness/program';

const executablePath = process.env['ACERVO_CHROMIUM'] ?? '/usr/bin/chromium';

describe('the search page', () => {
  const place = temporary();
  let program: Program;
  let browser: Browser;
  let page: Page;
  let address: string;
  const trouble: string[] = [];

  const results = () => page.locator('#results article');
  const state = (text: RegExp) => page.locator('#state', { hasText: text }).waitFor();
  const searchFor = async (query: string): Promise<void> => {
    await page.getByLabel('¿Qué busca?').fill(query);
    await page.keyboard.press('Enter');
  };

  beforeAll(async () => {
    const port = await freePort();
    address = `http://localhost:${port}/`;
    program = await Program.start({ folder: sample, data: `${place.path}/data`, port });
    await program.done();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
    page = await browser.newPage({ locale: 'es-ES' });
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) trouble.push(message.text());
    });
    await page.goto(address);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await program.stop();
    place.remove();
  }, 60_000);

  it('the page requests a key first, and another one after a refusal', async () => {
    await page.getByLabel('Clave de API').fill('acv_wrong');
    await page.getByRole('button', { name: 'Usar esta clave' }).click();
    await searchFor('turnos de riego');
    await state(/La clave no es válida/);
    expect(await page.getByLabel('Clave de API').isVisible()).toBe(true);
  });

  it('a search shows place and passage of documents with query words marked', async () => {
    await page.getByLabel('Clave de API').fill(program.key);
    await page.keyboard.press('Enter');
    await searchFor('averia del camion');
    await state(/\d+ documentos?, \d+ pasajes?/);
    const first = results().first();
    expect(await first.locator('h2').textContent()).toBe('acta-2024-09-consejo-rector.md');
    expect(await first.locator('.where').textContent()).toContain('actas/');
    const marked = (await first.locator('mark').allTextContents()).map((word) => word.toLowerCase());
    expect(marked).toEqual(expect.arrayContaining(['averías', 'camión']));
  });

  it('a reload keeps the key, and the address keeps the query', async () => {
    expect(new URL(page.url()).hash).toBe('#q=averia+del+camion');
    await page.reload();
    await state(/\d+ documentos?/);
    expect(await page.getByLabel('¿Qué busca?').inputValue()).toBe('averia del camion');
  });

  it('the back button returns to the previous search', async () => {
    await searchFor('frozen valve');
    await page.waitForFunction(() => document.querySelector('h2')?.textContent === 'pump-station-manual.md');
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('h2')?.textContent !== 'pump-station-manual.md');
    expect(await page.getByLabel('¿Qué busca?').inputValue()).toBe('averia del camion');
  });

  it('markup in documents and queries is shown as text, never executed', async () => {
    await searchFor('<img src=x onerror=alert(1)>');
    await state(/documento|No se ha encontrado/);
    expect(await page.locator('#results img').count()).toBe(0);
  });

  it('the page reports that Acervo does not answer', async () => {
    await page.route('**/v1/documents/search', (route) => route.abort());
    await searchFor('riego');
    await state(/no puede responder ahora/);
    await page.unroute('**/v1/documents/search');
  });

  it('the page works with the keyboard and has accessible names', async () => {
    const named = await page
      .locator('input:visible, button:visible')
      .evaluateAll((parts) =>
        parts.map((part) =>
          part instanceof HTMLInputElement ? (part.labels?.[0]?.textContent ?? '') : (part.textContent ?? ''),
        ),
      );
    expect(named.length).toBeGreaterThan(2);
    expect(named.every((name) => name.trim() !== '')).toBe(true);
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    expect(await page.locator('#state').getAttribute('aria-live')).toBe('polite');
  });

  it('the page forgets the key on request', async () => {
    await page.getByRole('button', { name: /Olvidar la clave/ }).click();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    expect(await page.getByLabel('Clave de API').isVisible()).toBe(true);
  });

  it('a browser in English gets the page in English', async () => {
    const english = await browser.newPage({ locale: 'en-GB' });
    await english.goto(address);
    expect(await english.getByLabel('API key').isVisible()).toBe(true);
    await english.close();
  });

  it('the page causes no policy violation and no error', () => {
    expect(trouble).toEqual([]);
  });
});
