import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { promisify } from 'node:util';
import { spawnOwned } from '@acervo/platform-testing';
import { repository } from '../harness/program';

const execute = promisify(execFile);

const PACKAGES = ['@acervo/client', 'acervo'];

/** Packs the published packages and installs them into an empty project, whose folder it returns. */
export const installPacked = async (place: string): Promise<string> => {
  const [archives, project] = [join(place, 'archives'), join(place, 'project')];
  mkdirSync(archives);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true }\n');
  const workspaces = PACKAGES.flatMap((name) => ['--workspace', name]);
  await execute('npm', ['pack', '--silent', ...workspaces, '--pack-destination', archives], { cwd: repository });
  const files = readdirSync(archives).map((name) => join(archives, name));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--silent'];
  await execute('npm', ['install', ...flags, ...files], { cwd: project });
  return project;
};

/** The environment of a program of the project: nothing of the suite but the place of programs. */
export const environmentIn = (
  project: string,
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({ PATH: process.env['PATH'] ?? '', HOME: project, LANG: 'C', ...variables });

/** Reads requests line by line and answers each with its result, or with code, status and details of its error. */
const LOOP = `
import { createInterface } from 'node:readline';
import { AcervoClient, AcervoError } from '@acervo/client';
for await (const line of createInterface({ input: process.stdin })) {
  const { key, id, input, idempotencyKey } = JSON.parse(line);
  const client = new AcervoClient({ baseUrl: process.env.ACERVO_URL, key });
  const options = idempotencyKey === undefined ? {} : { idempotencyKey };
  const outcome = await client[id](input, options).then(
    (body) => ({ body }),
    (error) => (error instanceof AcervoError ? { code: error.code, details: error.details } : { code: String(error) }),
  );
  process.stdout.write(JSON.stringify(outcome) + '\\n');
}
`;

/** A program that uses the installed client, and runs as long as the suite asks it. */
export class ClientProgram {
  private readonly lines: AsyncIterator<string>;

  private constructor(private readonly child: ChildProcess) {
    const { stdout } = child;
    if (stdout === null) throw new Error('The client program has no output.');
    const lines: Interface = createInterface({ input: stdout });
    this.lines = lines[Symbol.asyncIterator]();
  }

  /** A program of the installed package of Node. */
  static ofNode(project: string, url: string): ClientProgram {
    writeFileSync(join(project, 'loop.mjs'), LOOP);
    return ClientProgram.start(process.execPath, ['loop.mjs'], project, url);
  }

  /** Starts a loop that reads requests from its input and writes outcomes. */
  static start(command: string, args: readonly string[], cwd: string, url: string): ClientProgram {
    const env = { ...process.env, ACERVO_URL: url };
    return new ClientProgram(spawnOwned('client', command, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] }));
  }

  async ask(request: object): Promise<unknown> {
    this.child.stdin?.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.lines.next();
    if (done === true) throw new Error('The client program ended.');
    return JSON.parse(String(value)) as unknown;
  }

  async stop(): Promise<void> {
    this.child.stdin?.end();
    await once(this.child, 'exit');
  }
}
