/**
 * Runs the built programs as docs/operations.md and docker/compose.yaml describe.
 *
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeOnStack } from '@acervo/platform-testing';
import { assertEnglish } from '../harness/english';
import type { Found } from '../harness/http-client';
import { temporary, write } from '../harness/program';
import { until } from '../harness/waiting';
import { type Service, SERVICES } from '../harness/deployment/composed-environments';
import type { Ended } from '../harness/deployment/run-program';
import { Deployment } from './deployment';
import { WordEmbedder } from '../harness/word-embedder';

const EMAIL = 'ana@example.test';
const PASSWORD = 'una clave larga de prueba';

describeOnStack('a deployment of the services', ['postgres', 'kafka', 'opensearch', 'redis', 's3'], () => {
  const place = temporary();
  const documents = join(place.path, 'documents');
  const words = new WordEmbedder();
  let deployment: Deployment;
  let [key, link] = ['', ''];

  /** Executes an admin command; returns its output. */
  const command = async (
    service: Service,
    argv: readonly string[],
    more: Record<string, string> = {},
  ): Promise<string> => {
    const { code, output } = await deployment.run(service, argv, more);
    if (code !== 0) throw new Error(`${service} ${argv.join(' ')} ended with ${code}:\n${output}`);
    return output;
  };
  const ask = async (service: Service, path: string, body?: object): Promise<{ status: number; body: object }> => {
    const answer = await fetch(`${deployment.urlOf(service)}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      // Routes of auth accept sessions, not API keys.
      headers: {
        ...(service === 'auth' ? {} : { authorization: `Bearer ${key}` }),
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await answer.text();
    if (service === 'gateway') assertEnglish(path, answer.status, text);
    return { status: answer.status, body: JSON.parse(text) as object };
  };
  const search = async (query: string): Promise<readonly Found[]> => {
    const { status, body } = await ask('gateway', '/v1/documents/search', { query, limit: 3 });
    return status === 200 ? (body as { documents: Found[] }).documents : [];
  };
  const finds = (query: string, name: string): Promise<void> =>
    until(`${name} is found`, async () => (await search(query))[0]?.name === name, 60_000);

  beforeAll(async () => {
    mkdirSync(documents, { recursive: true });
    write(documents, {
      'norte.txt': 'La acequia del norte riega el huerto de los almendros.',
      'molino.txt': 'El molino gira despacio y muele poco.',
    });
    deployment = await Deployment.make(place.path, documents);
  });
  afterAll(async () => {
    await deployment.stop();
    await words.close().catch(() => undefined);
    place.remove();
  });

  it('migrations and the first group precede the first service', async () => {
    const migrated = await deployment.run('migrate', []);
    expect(migrated).toMatchObject({ code: 0 });
    const output = await command('auth', ['--provision', EMAIL]);
    expect(output).toMatch(/^Group G1, /m);
    key = /acv_\w+/.exec(output)?.[0] ?? '';
    link = /https?:\S+establecer-clave\S*/.exec(output)?.[0] ?? '';
    expect(await command('auth', ['--provision', EMAIL])).toMatch(/Nothing was changed/);
  });

  it('the printed link admits the administrator, and the key the gateway', async () => {
    await deployment.start();
    const { hash, pathname } = new URL(link);
    expect(pathname).toBe('/auth/establecer-clave');
    const token = hash.slice(1);
    expect((await ask('auth', '/auth/establecer-clave', { token, password: PASSWORD })).status).toBe(200);
    expect((await ask('auth', '/auth/login', { email: EMAIL, password: PASSWORD })).status).toBe(200);
    expect(await ask('gateway', '/v1/session')).toMatchObject({ status: 200, body: { group_code: 'G1' } });
  }, 300_000);

  it('a permitted folder of the first group is ingested and searchable', async () => {
    const body = { input: { path: documents }, confirm: true };
    const added = await ask('gateway', '/v1/operations/locations.create:execute', body);
    expect([added.status, added.body]).toEqual([200, expect.anything()]);
    await finds('acequia almendros', 'norte.txt');
    await finds('molino despacio', 'molino.txt');
  });

  it.each<[Service, string, RegExp]>([
    ['ingestion', '--rebuild', /G1: Rebuilt: 2 of 2 documents\.\nG1: The new index in OpenSearch is searched/],
    ['retrieval', '--rebuild-copies', /G1: The new index is searched/],
    ['ingestion', '--retry-failed', /G1: No document has failed/],
    ['ingestion', '--compare', /G1: The stores agree: 2 documents/],
    ['operations', '--verify-audit', /G1: Audit: [1-9]\d* records, each as it was written/],
    ['gateway', '--replay-dead', /There are no dead letters/],
  ])(
    'the program of %s executes %s, and searches continue',
    async (service, argument, message) => {
      expect(await command(service, [argument])).toMatch(message);
      await finds('acequia almendros', 'norte.txt');
    },
    300_000,
  );

  it('services that start with another embedder change to it', async () => {
    const url = await words.open();
    const embedder = {
      ...{ ACERVO_EMBEDDER: 'words', ACERVO_EMBEDDER_URL: url, ACERVO_EMBEDDER_MODEL: 'words' },
      ...{ ACERVO_EMBEDDER_DIMENSION: '384', ACERVO_EMBEDDER_FLOOR: '0' },
    };
    const early = await deployment.run('ingestion', ['--embed-anew'], embedder);
    expect(early).toMatchObject({ code: 1, output: expect.stringMatching(/restart it and ingestion/) as string });
    expect(await deployment.stop(['ingestion', 'retrieval'])).toEqual([0, 0]);
    await deployment.start(['ingestion', 'retrieval'], embedder);
    expect(await command('ingestion', ['--embed-anew'], embedder)).toMatch(/searched with the embedder words/);
    expect(words.embedded).toBeGreaterThanOrEqual(2);
    await until('the question is embedded by it', async () => {
      const [found] = await search('acequia del norte');
      return found?.name === 'norte.txt' && (found.max_similarity ?? 0) > 0.3;
    });
  }, 300_000);

  it('admin commands print the state, and reasons of refusals', async () => {
    const refused: Ended = await deployment.run('gateway', ['--nonsense']);
    expect(refused).toMatchObject({
      code: 2,
      output: expect.stringContaining('There is no argument --nonsense') as string,
    });
    const nobody = await deployment.run('ingestion', ['--retry-failed', '--group', 'G9']);
    expect(nobody).toMatchObject({ code: 1, output: expect.stringContaining('There is no group G9') as string });
    expect(await command('ingestion', ['--help'])).toMatch(/--embed-anew/);
  });

  it('all services stop with exit code 0', async () => {
    expect(await deployment.stop()).toEqual(SERVICES.map(() => 0));
  });
});
