import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Service, type Situation, User } from './support';

let service: Service;
let user: User;
beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.stop());
beforeEach(() => {
  service.forget();
  user = new User({ ACERVO_KEY: 'acv_key', ACERVO_URL: service.url, LANG: 'en_GB.UTF-8' });
});
afterEach(() => user.leave());

const fs = {
  ...{ home_var: 'ROOT', relative_path: 'a.md', path: '/library/a.md', origin: 'FOLDER' },
  ...{ is_absolute: false, is_public_url: false, is_cloud_only: false },
};
const document = {
  ...{ code: 'D1', name: 'a.md', status: 'VECTORIZED', summary: 'S', location: '/library/a.md', url: 'http://x/D1' },
  fs,
};
const found = {
  documents: [{ ...document, chunks: [{ text: 'Los turnos de RIEGO\nempiezan', page: 3, extra: {} }] }],
  ...{ total_documents: 1, total_chunks: 1 },
};

describe('login', () => {
  const session = { user_code: 'ana@x', group_code: 'G1' };
  const withoutKey = { ACERVO_KEY: '', ACERVO_URL: '' };

  it('a key that the service accepts is stored for its owner alone', async () => {
    service.on('GET /v1/session', session);
    const ended = await user.runs(`login --url ${service.url}`, {
      ...{ environment: withoutKey, isInteractive: true, secret: 'acv_secret\n' },
    });
    expect(ended).toMatchObject({
      code: 0,
      out: expect.stringContaining('ana@x') as string,
      secrets: [expect.any(String)],
    });
    expect(`${ended.out}${ended.err}`).not.toContain('acv_secret');
    const file = join(user.settingsFolder, 'profiles.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ profiles: { default: { key: 'acv_secret' } } });
  });
  it('a key that the service refuses is not stored', async () => {
    service.fails('GET /v1/session', 401, 'UNAUTHORIZED');
    const ended = await user.runs(`login --url ${service.url}`, { environment: withoutKey, input: 'acv_wrong' });
    expect(ended).toMatchObject({ code: 3, err: expect.stringContaining('UNAUTHORIZED') as string });
    expect(() => statSync(join(user.settingsFolder, 'profiles.json'))).toThrow('ENOENT');
  });
  it('commands use the last profile, or the named one', async () => {
    service.on('GET /v1/session', session);
    for (const [name, input] of [
      ['one', 'k1'],
      ['two', 'k2'],
    ] as const)
      await user.runs(`login --profile ${name} --url ${service.url}`, { environment: withoutKey, input });
    await user.runs('focus', { environment: withoutKey });
    await user.runs('focus --profile one', { environment: withoutKey });
    expect(service.received.slice(-2).map(({ key }) => key)).toEqual(['Bearer k2', 'Bearer k1']);
  });
  it('without a key a command says how to sign in', async () => {
    const ended = await user.runs('documents', { environment: withoutKey });
    expect(ended).toMatchObject({ code: 3, out: '', err: expect.stringContaining('acervo login') as string });
  });
});

describe('documents', () => {
  const search = 'POST /v1/documents/search';

  it('a search sends its options in the names of the API', async () => {
    service.on(search, { ...found, documents: [] });
    await user.runs(
      'search turnos de riego --limit 3 --location L1 --space 7 --type ACTA --type CARTA --min-similarity 0.2',
    );
    expect(service.received[0]?.body).toEqual({
      ...{ query: 'turnos de riego', limit: 3, location_code: 'L1', space_id: 7, min_similarity: 0.2 },
      filter: { document_types: ['ACTA', 'CARTA'] },
    });
  });
  it('a passage has the words of the query marked and the document linked', async () => {
    service.on(search, found);
    const { out } = await user.runs('search turno de riego', { isInteractive: true });
    expect(out).toContain('\u001b[33mturnos\u001b[39m de \u001b[33mRIEGO\u001b[39m empiezan');
    expect(out).toContain('\u001b]8;;http://x/D1\u001b\\a.md\u001b]8;;\u001b\\');
  });
  it.each<[string, Situation]>([
    ['NO_COLOR is set', { isInteractive: true, environment: { NO_COLOR: '1' } }],
    ['the output is no terminal', {}],
  ])('nothing is coloured when %s', async (_, situation) => {
    service.on(search, found);
    expect((await user.runs('search riego', situation)).out).not.toContain('\u001b');
  });
  it('control characters of a document do not reach the terminal', async () => {
    const name = 'a\u001b[2J\u202e.md';
    service.on('GET /v1/documents', { documents: [{ ...document, name }], total: 1, page: 1, limit: 20 });
    const { out } = await user.runs('documents', { isInteractive: true });
    expect(out).toContain('a[2J.md');
    expect(out).not.toMatch(/\u001b\[2J|\u202e/);
  });
  it('a table fits into the columns of the terminal', async () => {
    const documents = [{ ...document, name: 'n'.repeat(200), location: `/${'l'.repeat(200)}` }];
    service.on('GET /v1/documents', { documents, total: 9, page: 1, limit: 1 });
    const { out } = await user.runs('documents', { columns: 60 });
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(out).toContain('Showing 1 of 9.');
  });
  it('--json prints the answer, --jsonl one item a line', async () => {
    const answer = { documents: [document, { ...document, code: 'D2' }], total: 2, page: 1, limit: 20 };
    service.on('GET /v1/documents', answer);
    expect(JSON.parse((await user.runs('documents --json')).out)).toEqual(answer);
    const lines = (await user.runs('documents --jsonl')).out.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { code: string }).code)).toEqual(['D1', 'D2']);
  });
  it('show reads codes from the input for a dash', async () => {
    service.on('GET /v1/documents/D1', document);
    service.on('GET /v1/documents/D2', { ...document, code: 'D2' });
    const { out } = await user.runs('show - --jsonl', { input: 'D1\nD2\n' });
    expect(out.trim().split('\n')).toHaveLength(2);
  });
  it.each([
    ['a local root', {}, { ROOT: '/home/ana' }, { code: 0, opened: ['/home/ana/a.md'] }],
    [
      'a public address',
      { is_public_url: true, path: 'https://example.org/a' },
      {},
      { code: 0, opened: ['https://example.org/a'] },
    ],
    ['no root here', {}, {}, { code: 10, opened: [], err: expect.stringContaining('Set ROOT') as string }],
    ['an address of another scheme', { is_public_url: true, path: 'file:///etc/passwd' }, {}, { code: 10, opened: [] }],
    ['a provider alone', { is_cloud_only: true }, { ROOT: '/home/ana' }, { code: 10, opened: [] }],
  ])('open follows the rules for an original with %s', async (_, change, environment, expected) => {
    service.on('GET /v1/documents/D1', { ...document, fs: { ...fs, ...change } });
    expect(await user.runs('open D1', { environment: environment as Record<string, string> })).toMatchObject(expected);
  });
  it('open --print opens nothing', async () => {
    service.on('GET /v1/documents/D1', document);
    const ended = await user.runs('open D1 --print', { environment: { ROOT: '/r' } });
    expect(ended).toMatchObject({ out: '/r/a.md\n', opened: [] });
  });
});

describe('asking', () => {
  const answer = {
    answer: 'Los turnos empiezan a las diez [1].\n\nFuentes:\n[1] a\u001b[2J.md, p. 3: http://x/D1',
    ...{ conversation_id: 7, message_id: 12, user_message_id: 11 },
  };
  const conversation = {
    ...{ conversation_id: 7, function_code: 'CHAT-USER', mode: 'default', title: '¿A qué hora?', message_count: 2 },
    ...{ created_at: '2026-11-26T10:00:00Z', updated_at: '2026-11-26T10:00:00Z' },
  };

  it('a question sends its options in the names of the API', async () => {
    service.on('POST /v1/ask', answer);
    await user.runs('ask a qué hora --location L1 --conversation 7 --function CHAT-USER --mode help');
    expect(service.received[0]?.body).toEqual({
      ...{ question: 'a qué hora', location_code: 'L1', conversation_id: 7, function_code: 'CHAT-USER', mode: 'help' },
    });
  });
  it('an answer keeps its lines, and says how to continue', async () => {
    service.on('POST /v1/ask', answer);
    const { out } = await user.runs('ask a qué hora');
    expect(out).toContain('diez [1].\n\nFuentes:\n[1] a[2J.md, p. 3: http://x/D1\n');
    expect(out).toContain('acervo ask --conversation 7');
  });
  it('conversations are listed, and one is deleted', async () => {
    service.on('GET /v1/conversations?limit=1', { conversations: [conversation], total: 3 });
    service.on('DELETE /v1/conversations/7', { deleted: true, conversation_id: 7 });
    expect((await user.runs('conversations --limit 1')).out).toMatch(/¿A qué hora\?[^]*Showing 1 of 3\./);
    expect(await user.runs('conversations delete 7')).toMatchObject({ code: 0, out: 'Conversation 7 is deleted.\n' });
  });
});

describe('focus', () => {
  it('--release releases the area, then the entity', async () => {
    const context = { active_entity: null, active_area: null, effective_area: null };
    for (const route of ['GET /v1/session', 'POST /v1/session/active-area', 'POST /v1/session/active-entity'])
      service.on(route, context);
    const ended = await user.runs('focus --release');
    expect(service.received.slice(1).map(({ body }) => body)).toEqual([{ area_code: null }, { entity_code: null }]);
    expect(ended.out).toContain('No focus');
  });
});

describe('operations', () => {
  const operation = {
    ...{ code: 'things.delete', kind: 'write_confirm', confirm_required: true, functions: [] },
    input_schema: {
      type: 'object',
      properties: {
        thing_code: { type: 'string', description: 'Thing' },
        count: { type: 'integer' },
        is_final: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        criteria: { type: 'object' },
        parent: { type: ['string', 'null'] },
      },
      required: ['thing_code'],
    },
    output_schema: {},
  };
  const preview = {
    code: 'things.delete',
    kind: 'write_confirm',
    executed: false,
    confirm_required: true,
    preview: { input: { thing_code: 'T1' }, effect: { parts: 3 }, preview_token: 'tok' },
  };
  const done = { code: 'things.delete', kind: 'write_confirm', executed: true, result: { code: 'T1' } };
  const execute = 'POST /v1/operations/things.delete:execute';
  beforeEach(() => {
    service.on('GET /v1/operations/things.delete', operation);
    service.on(execute, preview, done);
  });
  const executions = (): unknown[] => service.received.filter(({ route }) => route === execute).map(({ body }) => body);

  it('the flags of an operation follow from its input schema', async () => {
    await user.runs([
      'operations',
      'run',
      'things.delete',
      '--thing-code',
      'T1',
      '--count=2',
      '--is-final',
      '--tags',
      'a',
      '--tags',
      'b',
      '--criteria',
      '{"query":"x"}',
      '--parent',
      'null',
      '--yes',
    ]);
    expect(executions()[0]).toEqual({
      input: { thing_code: 'T1', count: 2, is_final: true, tags: ['a', 'b'], criteria: { query: 'x' }, parent: null },
    });
  });
  it.each([
    ['--unknown x', /Unknown flag --unknown/],
    ['--count many', /--count takes integer/],
    ['--thing-code', /--thing-code needs a value/],
  ])('the flags %p are refused before anything is sent', async (flags, message) => {
    const ended = await user.runs(`operations run things.delete ${flags}`);
    expect(ended).toMatchObject({ code: 2, err: expect.stringMatching(message) as string });
    expect(executions()).toEqual([]);
  });
  it('a person who agrees to the preview confirms it with its token', async () => {
    const ended = await user.runs('operations run things.delete --thing-code T1', { isInteractive: true, answer: 'y' });
    expect(ended.code).toBe(0);
    expect(ended.out).toMatch(/parts +3/);
    expect(executions()[1]).toEqual({ input: { thing_code: 'T1' }, confirm: true, preview_token: 'tok' });
  });
  it.each<[string, Situation]>([
    ['declines', { isInteractive: true, answer: 'n' }],
    ['answers nothing', { isInteractive: true }],
    ['is not there', {}],
  ])('nothing is executed when the person %s', async (_, situation) => {
    expect(await user.runs('operations run things.delete --thing-code T1', situation)).toMatchObject({ code: 9 });
    expect(executions()).toHaveLength(1);
  });
  it('--yes confirms without a question', async () => {
    const ended = await user.runs('operations run things.delete --thing-code T1 --yes --json');
    expect(JSON.parse(ended.out)).toEqual(done);
    expect(executions()).toHaveLength(2);
  });
});

describe('work', () => {
  it('queue --watch ends when nothing waits or runs', async () => {
    for (const [status, ...totals] of [
      ['PENDING', 2, 0],
      ['IN_PROGRESS', 1, 0],
      ['WAITING', 0, 0],
    ] as const)
      service.on(`GET /v1/queue?status=${status}&limit=1`, ...totals.map((total) => ({ items: [], total })));
    const { err, out } = await user.runs('queue --watch');
    expect(err).toContain('[........................] 3 steps wait or run');
    expect(out).toBe('No step waits or runs.\n');
  });
  it('runs show how much of them is done', async () => {
    service.on('GET /v1/runs', { runs: [{ run: 1, location_code: 'L1', status: 'COMPLETED', seen: 4, waiting: 1 }] });
    expect((await user.runs('runs')).out).toContain('[##################......]');
  });
});

describe('failures', () => {
  it.each([
    [400, 'INVALID_REQUEST', 2],
    [400, 'INVALID_CONTEXT', 2],
    [401, 'UNAUTHORIZED', 3],
    [402, 'QUOTA_EXCEEDED', 7],
    [403, 'FORBIDDEN', 4],
    [404, 'NOT_FOUND', 5],
    [409, 'CONFLICT', 6],
    [409, 'CONTEXT_CONFLICT', 6],
    [422, 'VALIDATION_ERROR', 2],
    [500, 'INTERNAL_ERROR', 1],
  ])('%i %s ends with its exit code, a next step and the request id', async (status, code, exit) => {
    service.fails('GET /v1/documents', status, code, { invalid_fields: ['limit'] });
    const { code: ended, err, out } = await user.runs('documents');
    expect([ended, out]).toEqual([exit, '']);
    expect(err).toMatch(new RegExp(`^${code}: .+\\n {2}invalid_fields: limit\\n {2}.+\\n {2}request_id: r-1\\n$`));
  });
  it('an address without a service is unreachable', async () => {
    const ended = await user.runs('search a', { environment: { ACERVO_URL: 'http://127.0.0.1:9' } });
    expect(ended).toMatchObject({ code: 8, err: expect.stringContaining('acervo login --url') as string });
    expect(ended.err).not.toContain(' at ');
  });
  it.each([
    ['es_ES.UTF-8', 'No hay nada visible'],
    ['fr_FR', 'Nothing with this code'],
  ])('the locale %s decides the language of a failure', async (LANG, sentence) => {
    expect((await user.runs('show NONE', { environment: { LANG } })).err).toContain(sentence);
  });
  it('a failure is JSON for a program', async () => {
    expect(JSON.parse((await user.runs('show NONE --json')).err)).toMatchObject({
      code: 'NOT_FOUND',
      request_id: 'r-404',
    });
  });
  it.each([['nothing-such'], ['documents --nothing-such']])(
    'the unknown words %p are a mistake of usage',
    async (line) => {
      expect(await user.runs(line)).toMatchObject({ code: 2 });
    },
  );
});

describe('skills, processes and usage', () => {
  it('a skill is queued over a document', async () => {
    service.on('POST /v1/skills/KEY-DATES/run', { run_id: 'r1', skill_code: 'KEY-DATES', status: 'PENDING' });
    const { code, out } = await user.runs('skills run KEY-DATES --document D1 --idempotency-key k1');
    expect([code, out]).toEqual([0, expect.stringContaining('PENDING')]);
    expect(service.received.at(-1)).toMatchObject({ body: { document_code: 'D1' } });
  });
  it('skills are listed by code', async () => {
    service.on('GET /v1/skills', { skills: [{ code: 'PARTIES', target: 'DOCUMENT', name: 'Parties' }] });
    expect((await user.runs('skills')).out).toMatch(/PARTIES +DOCUMENT +Parties/);
  });
  it('open processes of the own user are asked for', async () => {
    const process = { code: 'P1', process_type: 'QUOTA', status: 'OPEN', priority: 'HIGH', name: 'Cuota' };
    service.on('GET /v1/processes?mine=true&only_open=true', { processes: [process], total: 3 });
    expect((await user.runs('processes --mine --open')).out).toMatch(/P1 +QUOTA +OPEN +HIGH[^]*1 of 3/);
  });
  it('a process is shown with its tasks', async () => {
    const tasks = [{ name: 'Revisar', status: 'OPEN', assignee: 'ana@x' }];
    service.on('GET /v1/processes/P1', { code: 'P1', tasks });
    expect((await user.runs('processes show P1')).out).toMatch(/P1[^]*Revisar +OPEN +ana@x/);
  });
  it('the usage has a line for each quota', async () => {
    const quotas = [{ feature: 'RETRIEVALS', used: 3, included: null, unit: 'calls', on_limit: 'ALLOW' }];
    service.on('GET /v1/usage', { plan_code: 'FREE', period_start: 'a', period_end: 'b', quotas });
    expect((await user.runs('usage')).out).toMatch(/FREE[^]*RETRIEVALS +3/);
  });
});

it.each(['bash', 'zsh', 'fish'])('the completion of %s offers the commands and their words', async (shell) => {
  const { out } = await user.runs(`completion ${shell}`);
  for (const word of ['search', 'operations', 'describe', '--resolution']) expect(out).toContain(word);
});

describe('the help', () => {
  it('the help of --type names what its command takes', async () => {
    expect((await user.runs('search --help')).out).toMatch(/--type <code> +Code of a document type/);
    expect((await user.runs('spaces compose --help')).out).toMatch(/--type <type> +AREA or SPACE/);
  });
  const commands = ['', 'search', 'documents', 'open', 'edges', 'areas', 'locations', 'focus', 'spaces list'];
  const others = ['spaces show', 'spaces read', 'spaces compose', 'queue', 'runs', 'operations run'];
  const newest = ['skills run', 'processes list'];

  it.each(['en_GB.UTF-8', 'es_ES.UTF-8'])('each option of each command says what it does in %s', async (LANG) => {
    for (const command of [...commands, ...others, ...newest]) {
      const { out: printed } = await user.runs(`${command} --help`.trim(), { environment: { LANG } });
      const options = printed.split('\n').filter((line) => /^ {2}(?:-\w, )?--[\w-]+/.test(line));
      expect(options.length).toBeGreaterThan(0);
      expect(options.filter((line) => !/^ {2}(?:-\w, )?--[\w-]+(?: <\w+>)? {2,}\S/.test(line))).toEqual([]);
    }
  });
});
