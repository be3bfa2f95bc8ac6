/// <reference lib="dom" />
import { Secret, TOTP } from 'otpauth';
import { type Browser, chromium, type Page } from 'playwright-core';
import { PASSWORD, People } from '../harness/people';
import { freePort, Program, sample, temporary } from '../harness/program';
import { until } from '../harness/waiting';

const executablePath = process.env['ACERVO_CHROMIUM'] ?? '/usr/bin/chromium';

const EMAIL = 'admin@acervo.local';

/** Enrols a passkey in a page, as an application for people does. @param token of a session */
const enrolPasskey = async (token: string): Promise<number> => {
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`/auth/mfa/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  interface Opened {
    readonly factor_id: string;
    readonly challenge_id: string;
    readonly options: PublicKeyCredentialCreationOptionsJSON;
  }
  const { factor_id } = (await (await post('enroll', { factor_type: 'webauthn' })).json()) as Opened;
  const { challenge_id, options } = (await (await post('challenge', { factor_id })).json()) as Opened;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  return (await post('verify', { factor_id, challenge_id, credential: made.toJSON() as object })).status;
};

describe('the pages for people', () => {
  const place = temporary();
  let program: Program;
  let browser: Browser;
  let page: Page;
  let address: string;
  const trouble: string[] = [];

  const watch = (watched: Page): void => {
    watched.on('pageerror', (error) => trouble.push(error.message));
    watched.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) trouble.push(message.text());
    });
  };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const results = () => page.locator('#results article');
  /** The first result of a query. Its link carries the query: results of the search before are not taken for it. */
  const firstOf = (query: string) =>
    page.locator('#results li:first-child article', {
      has: page.locator(`h2 a[href*="${new URLSearchParams({ q: query }).toString()}"]`),
    });
  const state = (text: RegExp) => page.locator('#state', { hasText: text }).waitFor();
  /** Ends once the page asks for this query, and so has removed state and results of the search before. */
  const searchFor = async (query: string): Promise<void> => {
    const asked = page.waitForRequest(
      (request) =>
        request.url().endsWith('/v1/documents/search') && request.postData()?.includes(JSON.stringify(query)) === true,
    );
    await page.getByLabel('¿Qué busca?').fill(query);
    await page.keyboard.press('Enter');
    await asked;
  };

  beforeAll(async () => {
    const port = await freePort();
    address = `http://localhost:${port}/`;
    const environment = { ACERVO_ADMIN_PASSWORD: PASSWORD };
    program = await Program.start({ folder: sample, data: `${place.path}/data`, port, environment });
    await program.done();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
    page = await browser.newPage({ locale: 'es-ES' });
    watch(page);
    await page.goto(address);
  });
  afterAll(async () => {
    await browser.close();
    await program.stop();
    place.remove();
  });

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
    const first = firstOf('averia del camion');
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

  it('a document without vectors is said to be found by its words only', async () => {
    const byWords = results().first().getByText('Hallado solo por sus palabras');
    await searchFor('turnos de riego');
    await state(/\d+ documentos?/);
    expect(await byWords.count()).toBe(0);
    await page.route('**/v1/documents/search', async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replaceAll('"embedded":true', '"embedded":false');
      await route.fulfill({ response, body: text });
    });
    await searchFor('turnos de los riegos');
    await byWords.waitFor();
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

  it('a result leads to the page of its document, with its passages', async () => {
    await searchFor('averia del camion');
    const link = firstOf('averia del camion').locator('h2 a');
    const name = await link.textContent();
    await link.click();
    await page.getByRole('heading', { level: 1, name: name ?? '' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/app\/documents\/./);
    await page.locator('#search-state', { hasText: /\d+ pasajes? de este documento/ }).waitFor();
    expect((await page.locator('#passages mark').allTextContents()).length).toBeGreaterThan(0);
    expect(await page.locator('#facts').textContent()).toContain('Listo');
    await page.getByRole('link', { name: 'Volver a la búsqueda' }).click();
    await state(/\d+ documentos?/);
    expect(await page.getByLabel('¿Qué busca?').inputValue()).toBe('averia del camion');
  });

  describe('the url of a document in a browser without a key', () => {
    const people = () => new People(program);
    let stranger: Page;
    let url: string;
    const reports = (text: RegExp) => stranger.locator('#state', { hasText: text }).waitFor();
    const opened = () => stranger.locator('#document #name', { hasText: /\.\w+$/ }).waitFor();
    const logIn = async (): Promise<void> => {
      await stranger.getByLabel('Correo').fill(EMAIL);
      await stranger.getByLabel('Contraseña').fill(PASSWORD);
      await stranger.keyboard.press('Enter');
    };
    beforeAll(async () => {
      const { documents } = (await program.ask('GET', '/v1/documents?limit=1')).body as {
        documents: { url: string }[];
      };
      url = documents[0]?.url ?? '';
      stranger = await (await browser.newContext({ locale: 'es-ES' })).newPage();
      watch(stranger);
    });
    afterAll(() => stranger.context().close());

    it('the url asks for a login, and for the code of a second factor', async () => {
      const token = await people().tokenOf(EMAIL);
      const factor = await people().ask('POST', '/auth/mfa/enroll', {}, token);
      const { secret } = factor['totp'] as { readonly secret: string };
      const codeAt = (timestamp: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
      // The code of the step before, so that the current code is still unused. A slow request makes it too old.
      await until('the factor is verified', async () => {
        const { challenge_id } = await people().ask('POST', '/auth/mfa/challenge', {}, token);
        const proof = { factor_id: factor['factor_id'], challenge_id, code: codeAt(Date.now() - 30_000) };
        const { status } = await program.ask('POST', '/auth/mfa/verify', proof, bearer(token));
        if (![200, 422].includes(status)) throw new Error(`The proof answered ${status}.`);
        return status === 200;
      });

      await stranger.goto(`${url}?q=riego`);
      await reports(/Entre para ver el documento/);
      await logIn();
      await reports(/Falta el segundo factor/);
      await stranger.getByLabel('Código de su aplicación').fill('000000');
      await stranger.keyboard.press('Enter');
      await reports(/código no es correcto/);
      await stranger.getByLabel('Código de su aplicación').fill(codeAt(Date.now()));
      await stranger.keyboard.press('Enter');
      await opened();
      expect(stranger.url()).toBe(`${url}#q=riego`);
      expect(await stranger.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 1]);
    });

    it('the url accepts a passkey as second factor', async () => {
      const devtools = await stranger.context().newCDPSession(stranger);
      await devtools.send('WebAuthn.enable');
      const options = { protocol: 'ctap2', transport: 'internal', hasUserVerification: true } as const;
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
      });
      const token = (await stranger.evaluate(() => sessionStorage.getItem('acervo.session'))) ?? '';
      const { factors } = (await program.ask('GET', '/auth/mfa/factors', undefined, bearer(token))).body as {
        readonly factors: readonly { readonly factor_id: string }[];
      };
      await people().ask('POST', '/auth/mfa/unenroll', { factor_id: factors[0]?.factor_id }, token);
      expect(await stranger.evaluate(enrolPasskey, token)).toBe(200);
      await stranger.getByRole('button', { name: 'Cerrar la sesión' }).click();
      await reports(/Ha cerrado la sesión/);
      await logIn();
      await reports(/use su llave de acceso/);
      await stranger.getByRole('button', { name: 'Comprobar' }).click();
      await opened();
    });
  });

  it('a space beside the query narrows the search, and the address keeps it', async () => {
    expect(await page.getByLabel('Dónde').isVisible()).toBe(false);
    const input = { name: 'Actas', criteria: { name: 'acta-*' } };
    await program.ask('POST', '/v1/operations/spaces.create:execute', { input });
    await page.goto(address);
    await page.getByLabel('Dónde').selectOption('Actas');
    await searchFor('riego');
    await state(/\d+ documentos?/);
    const narrowed = await page.locator('#results h2').allTextContents();
    expect(narrowed.filter((name) => !name.startsWith('acta-'))).toEqual([]);
    expect(new URL(page.url()).hash).toBe('#q=riego&space=1');
    await page.reload();
    await state(/\d+ documentos?/);
    expect(await page.getByLabel('Dónde').locator('option:checked').textContent()).toBe('Actas');
    await page.getByLabel('Dónde').selectOption('Todos los documentos');
    await page.waitForFunction(() => [...document.querySelectorAll('h2')].some((h2) => !/^acta-/.test(h2.innerText)));
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

  it('the pages cause no policy violation and no error', () => {
    expect(trouble).toEqual([]);
  });
});
