import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Route, routes } from '@acervo/client';
import { spawnOwned } from '@acervo/platform-testing';
import { endOf, runProgram } from '../harness/deployment/run-program';
import { keyWith, PASSWORD, People } from '../harness/people';
import { copySample, freePort, Program, repository, temporary } from '../harness/program';
import { McpPrograms, toolOf } from './mcp-tools';
import { ClientProgram, environmentIn, installPacked } from './packed';
import { hasPython, PythonProject } from './python-client';
import { type KeyName, REVOKE, type Scenario, scenarios, type Step } from './scenarios';

type Surface = 'rest' | 'typescript' | 'python' | 'terminal' | 'mcp';
const surfaces: readonly Surface[] = [
  'rest',
  'typescript',
  ...(hasPython ? ['python' as const] : []),
  'terminal',
  'mcp',
];

/** What names a surface in the things that its scenarios create. */
const markOf = (surface: Surface): string => `@${surface}@`;

interface Outcome {
  readonly body?: unknown;
  readonly code?: string;
  readonly details?: unknown;
}

/** Fields that differ between two equal requests. */
const VOLATILE = /^(duration_ms|preview_token|request_id|space_id|conversation_id|(?:user_)?message_id|.*_at)$/;

/** An outcome without what differs between two equal requests. */
const comparable = (value: unknown, surface: Surface): unknown => {
  if (typeof value === 'string') return value.replaceAll(markOf(surface), 'SURFACE');
  if (Array.isArray(value)) return value.map((each) => comparable(each, surface));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !VOLATILE.test(name))
      .map(([name, each]) => [name, comparable(each, surface)]),
  );
};

const EXIT_OF_PREVIEW = 9;
const LEAVING = 'leaving@x.es';

describe('surfaces of one program', () => {
  const place = temporary();
  let program: Program;
  let project: string;
  let client: ClientProgram;
  let python: PythonProject | undefined;
  let pythonClient: ClientProgram | undefined;
  let mcp: McpPrograms;
  /** Tools of the administrator: a step without one is no matter of this surface. */
  let tools: readonly string[];
  let administration: string;
  const keys = {} as Record<Surface, Record<KeyName, string>>;
  const values = {} as Record<Surface, Record<string, string | number>>;
  /** Public names of the keys that are revoked on the way. */
  const names = {} as Record<Surface, string>;
  let people: People;

  beforeAll(async () => {
    copySample(join(place.path, 'folder'));
    const installing = installPacked(place.path);
    const installingPython = hasPython ? PythonProject.install(place.path) : undefined;
    const data = join(place.path, 'data');
    const environment = { ACERVO_ADMIN_PASSWORD: PASSWORD };
    program = await Program.start({ folder: join(place.path, 'folder'), data, port: await freePort(), environment });
    [project, python] = await Promise.all([installing, installingPython, program.done()]);
    client = ClientProgram.ofNode(project, `http://127.0.0.1:${program.port}`);
    pythonClient = python?.client(`http://127.0.0.1:${program.port}`);
    mcp = new McpPrograms(project, `http://127.0.0.1:${program.port}`);
    tools = await mcp.toolNames(program.key);
    people = new People(program);
    const seen = ['WORKSPACES', 'SESSION'];
    const reader = await keyWith(program, { email: 'reader@x.es', role: 'LECTORA', level: 'USUARIO', seen });
    await keyWith(program, { email: LEAVING, role: 'SALIENTE', level: 'USUARIO', seen });
    administration = await people.tokenOf('admin@acervo.local');
    const [document] = await program.search('turnos de riego');
    const { body } = await program.ask('GET', '/v1/locations?query=actas');
    const [folder] = body['locations'] as { readonly code: string }[];
    for (const surface of surfaces) {
      const made = await people.ask('POST', '/auth/api-key', { nombre: surface }, await people.tokenOf(LEAVING));
      const wrong = `${program.key.slice(0, -4)}aaaa`;
      keys[surface] = { administrator: program.key, reader, wrong, leaving: String(made['api_key']) };
      names[surface] = String(made['prefijo']);
      values[surface] = { surface: markOf(surface), document: document?.code ?? '', folder: folder?.code ?? '' };
    }
  }, 300_000);
  afterAll(async () => {
    await client.stop();
    await pythonClient?.stop();
    await mcp.stop();
    await program.stop();
    place.remove();
  });

  const filled = <T>(value: T, surface: Surface): T => {
    const whole = (name: string): string | number => values[surface][name] ?? `{${name}}`;
    const text = JSON.stringify(value)
      .replace(/"\{(\w+)\}"/g, (_, name: string) => JSON.stringify(whole(name)))
      .replace(/\{(surface|document|folder)\}/g, (_, name: string) => String(whole(name)));
    return JSON.parse(text) as T;
  };

  const overRest = async ({ id, input = {}, idempotencyKey }: Step, key: string): Promise<Outcome> => {
    const { method, path, query, hasBody }: Route = routes[id];
    const inPath = (name: string): boolean => path.includes(`{${name}}`);
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
    const rest = Object.entries(input).filter(([name]) => !inPath(name));
    const search = new URLSearchParams(
      rest.filter(([name]) => query.includes(name)).map(([name, value]) => [name, String(value)]),
    );
    const answer = await program.ask(
      method,
      search.size === 0 ? address : `${address}?${search.toString()}`,
      hasBody ? Object.fromEntries(rest.filter(([name]) => !query.includes(name))) : undefined,
      {
        authorization: `Bearer ${key}`,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
    );
    const { code, details } = answer.body as { readonly code?: string; readonly details?: unknown };
    return answer.status < 300 ? { body: answer.body } : { code: String(code), details };
  };

  const overTerminal = async ({ command }: Step, key: string): Promise<Outcome> => {
    const main = join(project, 'node_modules', 'acervo', 'dist', 'acervo.cjs');
    const { code, out, err } = await runProgram(main, [...command.map(String), '--json'], {
      cwd: project,
      environment: environmentIn(project, { ACERVO_KEY: key, ACERVO_URL: `http://127.0.0.1:${program.port}` }),
    });
    if (code === 0 || (code === EXIT_OF_PREVIEW && out !== '')) return { body: JSON.parse(out) as unknown };
    const failure = JSON.parse(err) as { readonly code: string; readonly details: unknown };
    return { code: failure.code, details: failure.details };
  };

  const send = async (surface: Surface, step: Step): Promise<Outcome> => {
    const key = keys[surface][step.key ?? 'administrator'];
    if (surface === 'rest') return overRest(step, key);
    if (surface === 'terminal') return overTerminal(step, key);
    const { id, input, idempotencyKey } = step;
    if (surface === 'mcp') return mcp.call(key, toolOf(step), idempotencyKey);
    const asked = surface === 'python' ? pythonClient : client;
    return (await asked?.ask({ key, id, input, idempotencyKey })) as Outcome;
  };

  const revoke = (surface: Surface): Promise<unknown> =>
    people.ask('DELETE', `/auth/api-key/${names[surface]}`, {}, administration);

  const outcomesOf = async (surface: Surface, { steps }: Scenario): Promise<unknown[]> => {
    const outcomes: unknown[] = [];
    for (const step of steps) {
      if (step === REVOKE) {
        await revoke(surface);
        continue;
      }
      const outcome = await send(surface, filled(step, surface));
      if (step.keepSpace !== undefined) {
        const body = outcome.body as { readonly result?: { readonly space_id: number }; readonly space_id: number };
        values[surface][step.keepSpace] = (body.result ?? body).space_id;
      }
      if (step.keepConversation !== undefined) {
        const { conversation_id } = outcome.body as { readonly conversation_id: number };
        values[surface][step.keepConversation] = conversation_id;
      }
      outcomes.push(comparable(outcome, surface));
    }
    return outcomes;
  };

  /** What a tool answers where its route answers this. */
  const toolPart = (step: Step, outcome: unknown): unknown => {
    const { body } = outcome as Outcome;
    return body === undefined ? outcome : { body: toolOf(step).partOf(body as Record<string, unknown>) };
  };

  it('most scenarios are of tools, too', () => {
    const ofTools = scenarios.filter(({ steps }) =>
      steps.every((step) => step !== REVOKE && tools.includes(toolOf(step).name)),
    );
    expect(ofTools.length).toBeGreaterThanOrEqual(30);
  });

  it('a key that does not exist has no tools', async () => {
    const key = keys.mcp.wrong;
    await expect(mcp.toolNames(key)).rejects.toMatchObject({ data: { code: 'UNAUTHORIZED' } });
  });

  it('there are at least thirty scenarios', () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(30);
  });

  it.each(scenarios.map((scenario) => [scenario.title, scenario] as const))(
    '%s: one answer on every surface',
    async (_, scenario) => {
      const steps = scenario.steps.filter((step) => step !== REVOKE);
      const isOfTools = steps.every((step) => tools.includes(toolOf(step).name));
      const asked = surfaces.filter((surface) => surface !== 'mcp' || isOfTools);
      const [rest, ...others] = await Promise.all(asked.map((surface) => outcomesOf(surface, scenario)));
      const expected = steps.map(({ fails }) =>
        fails === undefined ? { body: expect.anything() as unknown } : { code: fails },
      );
      expect(rest).toMatchObject(expected);
      const ofTools = isOfTools ? others.pop() : undefined;
      for (const other of others) expect(other).toEqual(rest);
      if (ofTools !== undefined) expect(ofTools).toEqual(steps.map((step, index) => toolPart(step, rest?.[index])));
    },
  );

  const blocks = (folder: string, language: string): string => {
    const readme = readFileSync(join(repository, folder, 'README.md'), 'utf8');
    return [...readme.matchAll(/```(\w+)\n([^]*?)```/g)]
      .filter(([, each]) => each === language)
      .map(([, , code]) => code)
      .join('\n');
  };
  const inProject = () => ({
    cwd: project,
    environment: environmentIn(project, {
      ACERVO_KEY: program.key,
      ACERVO_URL: `http://127.0.0.1:${program.port}`,
    }),
  });

  it('every route of the description is a method of the installed client', async () => {
    const { body } = await program.ask('GET', '/openapi.json');
    const paths = Object.values(body['paths'] as Record<string, Record<string, { readonly operationId: string }>>);
    const ids = paths.flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(ids).toContain('searchDocuments');
    const code = `
      import { AcervoClient } from '@acervo/client';
      const client = new AcervoClient({ baseUrl: process.env.ACERVO_URL, key: process.env.ACERVO_KEY });
      const missing = ${JSON.stringify(ids)}.filter((id) => typeof client[id] !== 'function');
      process.stdout.write(JSON.stringify(missing));`;
    const { code: exit, out, err } = await runProgram('--input-type=module', ['--eval', code], inProject());
    expect({ exit, out, err }).toEqual({ exit: 0, out: '[]', err: '' });
  });

  it('the example of the client runs in an empty project', async () => {
    const code = blocks('clients/typescript', 'js');
    const { code: exit, out, err } = await runProgram('--input-type=module', ['--eval', code], inProject());
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(out).toMatch(/acta-2025-01-comision-de-riego\.md[^]*VECTORIZED[^]*NOT_FOUND/);
  });

  // A machine without Python 3.10 or later skips these, and the surface of the scenarios.
  const ofPython = hasPython ? it : it.skip;
  const runPython = async (code: string) => ({ ...(await python?.run(code, inProject().environment)) });

  ofPython('every route of the description is a method of the installed client of Python', async () => {
    const names = Object.keys(routes).map((id) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    const code = `
import json
from acervo import AcervoClient, AsyncAcervoClient
names = ${JSON.stringify(names)}
print(json.dumps([name for kind in (AcervoClient, AsyncAcervoClient) for name in names if not hasattr(kind, name)]))`;
    expect(await runPython(code)).toMatchObject({ code: 0, out: '[]\n', err: '' });
  });

  ofPython('the examples of the client of Python run in an empty environment', async () => {
    const { code, out, err } = await runPython(blocks('clients/python', 'python'));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/acta-2025-01-comision-de-riego\.md[^]*VECTORIZED[^]*NOT_FOUND[^]*G1/);
  });

  ofPython.each([
    ['tests', ['pytest', '--quiet']],
    ['types', ['mypy', '--cache-dir', '{types}', '--exclude', '/(langchain|llamaindex|haystack)\\.py$']],
    ['rules', ['ruff', 'check', '--no-cache']],
    ['format', ['ruff', 'format', '--check', '--no-cache']],
  ])('the sources of the client of Python pass their %s', async (_, args) => {
    const ended = await python?.check(args.map((arg) => arg.replace('{types}', python?.knownTypes ?? '')));
    expect({ ...ended }).toMatchObject({ code: 0 });
  });

  it('the example of the terminal runs in an empty project', async () => {
    const { cwd, environment } = inProject();
    const path = `${join(project, 'node_modules', '.bin')}:${environment['PATH']}`;
    const { code, out, err } = await endOf(
      spawnOwned('example', 'sh', ['-e', '-c', blocks('apps/cli', 'sh')], {
        ...{ cwd, env: { ...environment, PATH: path }, stdio: 'pipe' },
      }),
      program.key,
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/Signed in as[^]*acta-2025-01-comision-de-riego\.md[^]*Riego/);
  });
});
