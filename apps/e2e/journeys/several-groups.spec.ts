/**
 * The installation runs in this process: a new group needs a folder, and its code is unknown before it exists.
 *
 * @jest-environment-options {"customExportConditions": ["node", "node-addons"]}
 */
import 'reflect-metadata';
import { readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { embeddingState, ingestionProgress, listGroups, registerFolder } from '@acervo/contracts';
import { anonymous, WorkScope } from '@acervo/rbac';
import { registered } from '../harness/people';
import { HttpClient } from '../harness/http-client';
import { Installation } from '../harness/installation';
import { freePort, Program, type StartRequest, temporary, write } from '../harness/program';
import { until } from '../harness/waiting';
import { WordEmbedder } from '../harness/word-embedder';

const LONG = `<!--${'x'.repeat(1_200_000)}--><p>Muy largo.</p>`;

describe('an installation with a second group', () => {
  const place = temporary();
  const [folder, others, data] = ['folder', 'others', 'data'].map((name) => join(place.path, name)) as [
    ...[string, string, string],
  ];
  const words = new WordEmbedder();
  let url: string;
  let installation: Installation;
  let running: Installation['running'];
  let anonymously: HttpClient;
  let lines: string[] = [];
  let keys: readonly [first: string, second: string] = ['', ''];
  let scopes: readonly WorkScope[] = [];
  let code = '';

  const start = async (embedder: string | null = null): Promise<void> => {
    lines = [];
    installation = await Installation.start({
      ...{ folder, data, processes: false, embedder },
      environment: {
        ...{ ACERVO_LOG_LEVEL: 'error', ACERVO_EXTRACTION_FILE_MB: '1' },
        ...{ ACERVO_EMBEDDER: 'hashing', ACERVO_EMBEDDER_URL: url, ACERVO_EMBEDDER_MODEL: 'words' },
      },
      print: (text) => void lines.push(...text.split('\n')),
    });
    ({ running } = installation);
    anonymously = new HttpClient({ port: running.port });
  };
  const namesFor = async (key: string): Promise<readonly string[]> => {
    const headers = { authorization: `Bearer ${key}` };
    const { status, body } = await anonymously.ask(
      'POST',
      '/v1/documents/search',
      { query: 'cuota del agua' },
      headers,
    );
    expect({ status, body }).toMatchObject({ status: 200 });
    return (body['documents'] as { name: string }[]).map(({ name }) => name).sort();
  };
  const secondFinds = (...names: string[]): Promise<void> =>
    until(`the second group finds ${names.join(', ')}`, async () => String(await namesFor(keys[1])) === String(names));
  /** Runs another start on the same data directory to its end. */
  const command = async (more: Partial<StartRequest>): Promise<string> => {
    const other = Program.run({ folder: null, data, port: await freePort(), ...more });
    expect(await other.ended).toBe(0);
    return other.printed;
  };

  beforeAll(async () => {
    url = await words.open();
    write(folder, { 'uno.txt': 'La cuota del agua sube.' });
    write(others, { 'ajeno.txt': 'La cuota del agua baja.' });
    await start();
    await running.ingested;
  });
  afterAll(async () => {
    await installation.stop();
    await words.close();
    place.remove();
  });

  it('a first start prints its link, and its key below the welcome', () => {
    const places = [
      /^Password of admin@acervo\.local: open this link/,
      /^Acervo is ready at /,
      /^API key, shown this once/,
    ]
      .map((message) => lines.filter((line) => message.test(line)).map((line) => lines.indexOf(line)))
      .flat();
    expect(places).toHaveLength(3);
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
    expect(lines.some((line) => line.endsWith(`Bearer ${running.apiKey}' \\`))).toBe(true);
  });

  it('a group created at run time has its folder ingested and watched', async () => {
    const made = await registered(anonymously, data, 'otra@example.org');
    ({ code } = made);
    keys = [running.apiKey ?? '', made.key];
    const { groups } = await running.calls.send(listGroups, anonymous, {});
    scopes = groups.map(({ groupId }) => new WorkScope(groupId, 'standalone', 'test'));
    const [, second] = scopes as [WorkScope, WorkScope];
    await running.calls.send(registerFolder, second, { path: others, entityCode: 'E1' });
    await secondFinds('ajeno.txt');
    write(others, { 'nuevo.txt': 'La cuota del agua cambia.', 'largo.html': LONG });
    await secondFinds('ajeno.txt', 'nuevo.txt');
    expect(await namesFor(keys[0])).toEqual(['uno.txt']);
  });

  it('status, audit verification and comparison cover each group', async () => {
    const each = (first: string, second: string): RegExp =>
      new RegExp(`^Group G1:\\n${first}[^]*^Group ${code}:\\n${second}`, 'm');
    const [, second] = scopes as [WorkScope, WorkScope];
    await until('the long one has failed, the others are ingested', async () => {
      const { counts } = await running.calls.send(ingestionProgress, second, {});
      const documents = (wanted: string): number => counts.find(({ status }) => status === wanted)?.documents ?? 0;
      return documents('ERROR') === 1 && documents('VECTORIZADO') === 2;
    });
    expect(await command({ commands: [{ name: 'status' }] })).toMatch(
      each('Done: 1 of 1', 'Done: 2 of 3(?![^]*Acervo runs already)'),
    );
    const printed = await command({ commands: [{ name: 'verify-audit' }, { name: 'compare' }] });
    expect(printed).toMatch(each('Audit: \\d+ records, each', 'Audit: \\d+ records, each'));
    expect(printed).toMatch(
      new RegExp(`^Group G1:\\nThe stores .*\\nGroup ${code}:\\nThe stores .*\\nAcervo runs already: `, 'm'),
    );
  });

  it('commands about people concern the first group', async () => {
    const email = 'sistema@example.org';
    const commands = [{ name: 'system-user', value: email }, { name: 'admin-link' }, { name: 'new-key' }] as const;
    expect(await command({ commands })).toMatch(
      new RegExp(
        [
          '^A new API key for the administrator, shown this once: {2}acv_\\w+\n\n',
          'Password of admin@acervo\\.local: open this link within an hour, it works once\\.\n {2}http\\S+\n\n',
          `${email} is a SYSTEM user\\.\nThe account has no password yet: .*\n {2}http\\S+\n`,
          'Acervo runs already: ',
        ].join(''),
      ),
    );
  });

  it('retries, accepted deletions and rebuilds cover every group', async () => {
    expect(await command({ commands: [{ name: 'retry-failed' }] })).toMatch(
      /1 document that had failed is worked on again\./,
    );
    for (const name of ['ajeno.txt', 'largo.html']) unlinkSync(join(others, name));
    await until('that is doubted', () => lines.some((line) => line.includes('2 of 3 documents are gone at once')));
    expect(await command({ acceptDeletions: true })).toMatch(/others: 1 files, 0 new, 0 changed, 2 gone/);
    await secondFinds('nuevo.txt');
    expect((await command({ commands: [{ name: 'rebuild' }] })).match(/^Rebuilt: 1 of 1 documents\.$/gm)).toHaveLength(
      2,
    );
  });

  it('a later start ingests new files and changes the embedder everywhere', async () => {
    await installation.stop();
    write(others, { 'tarde.txt': 'La cuota del agua se queda.' });
    await start('words');
    await running.ingested;
    expect(lines).toContain('Searches use the embedder words from now on.');
    for (const scope of scopes) {
      const { live, settled } = await running.calls.send(embeddingState, scope, {});
      expect([live[0]?.model, settled]).toEqual(['words', true]);
    }
    expect(JSON.parse(readFileSync(join(data, 'acervo.json'), 'utf8'))).toMatchObject({ before: null });
    expect(await namesFor(keys[1])).toEqual(['nuevo.txt', 'tarde.txt']);
  });
});
