import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { spawnOwned } from '@acervo/platform-testing';
import type { Environment } from '../harness/deployment/composed-environments';
import { endOf, type Ended } from '../harness/deployment/run-program';
import { repository } from '../harness/program';
import { ClientProgram } from './packed';

const execute = promisify(execFile);

const SOURCE = join(repository, 'clients', 'python');
const REQUIREMENTS = join(SOURCE, 'requirements.txt');
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'acervo', 'python');
const PROBE = 'import sys, venv; print(".".join(map(str, sys.version_info[:2])), sys.version_info >= (3, 10))';

/** The version of Python in the path; undefined without one that the client supports. */
const versionHere = (): string | undefined => {
  const { stdout } = spawnSync('python3', ['-c', PROBE], { encoding: 'utf8' });
  const [version, isSupported] = (stdout ?? '').trim().split(' ');
  return isSupported === 'True' ? version : undefined;
};

const version = versionHere();
export const hasPython = version !== undefined;

const pythonIn = (environment: string): string => join(environment, 'bin', 'python');
const pip = (python: string, ...args: string[]) =>
  execute(python, ['-m', 'pip', '--disable-pip-version-check', '--quiet', ...args]);

/**
 * The programs that build and check the client, the wheels that it needs, and what is known of their types. The programs
 * and wheels come from PyPI once for each set of versions, into a cache outside the checkout.
 */
const toolsOf = async (): Promise<{ readonly python: string; readonly wheels: string; readonly types: string }> => {
  const digest = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 16);
  const folder = join(CACHE, `${version}-${digest}`);
  const [environment, wheels] = ['environment', 'wheels'];
  if (!existsSync(folder)) {
    const made = `${folder}.${process.pid}`;
    mkdirSync(made, { recursive: true });
    const python = pythonIn(join(made, environment));
    await execute('python3', ['-m', 'venv', join(made, environment)]);
    await pip(python, 'install', '--requirement', REQUIREMENTS);
    const needed = ['httpx', 'typing-extensions'];
    await pip(python, 'download', '--dest', join(made, wheels), '--constraint', REQUIREMENTS, ...needed);
    // Another run may have been faster; its folder is as good.
    if (existsSync(folder)) rmSync(made, { recursive: true });
    else renameSync(made, folder);
  }
  return { python: pythonIn(join(folder, environment)), wheels: join(folder, wheels), types: join(folder, 'types') };
};

/** Reads requests line by line and answers each with its result, or with code and details of its error. */
const LOOP = `
import json, os, re, sys
from acervo import AcervoClient, AcervoError
clients = {}
for line in sys.stdin:
    request = json.loads(line)
    key = request["key"]
    client = clients.setdefault(key, None) or AcervoClient(os.environ["ACERVO_URL"], key)
    clients[key] = client
    method = getattr(client, re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), request["id"]))
    options = {"idempotency_key": request["idempotencyKey"]} if "idempotencyKey" in request else {}
    try:
        outcome = {"body": method(**request.get("input", {}), **options)}
    except AcervoError as error:
        outcome = {"code": error.code, "details": error.details}
    print(json.dumps(outcome), flush=True)
`;

/** The client of Python, built as a wheel and installed into an empty environment. */
export class PythonProject {
  private constructor(
    private readonly folder: string,
    private readonly tools: string,
    /** What mypy knows of the packages that the client needs; it compares it with the sources. */
    readonly knownTypes: string,
  ) {}

  static async install(place: string): Promise<PythonProject> {
    const { python, wheels, types } = await toolsOf();
    const folder = join(place, 'python');
    const archives = join(folder, 'archives');
    mkdirSync(folder);
    await Promise.all([
      pip(python, 'wheel', '--no-deps', '--no-build-isolation', '--wheel-dir', archives, SOURCE),
      execute('python3', ['-m', 'venv', '--without-pip', join(folder, 'environment')]),
    ]);
    const files = readdirSync(archives).map((name) => join(archives, name));
    const project = new PythonProject(folder, python, types);
    await pip(python, '--python', project.python, 'install', '--no-index', '--find-links', wheels, ...files);
    return project;
  }

  private get python(): string {
    return pythonIn(join(this.folder, 'environment'));
  }

  client(url: string): ClientProgram {
    writeFileSync(join(this.folder, 'loop.py'), LOOP);
    return ClientProgram.start(this.python, ['loop.py'], this.folder, url);
  }

  /** Runs a module of Python over the sources; it leaves nothing in the checkout. */
  check(args: readonly string[]): Promise<Ended> {
    return endOf(spawnOwned('check', this.tools, ['-B', '-m', ...args], { cwd: SOURCE, stdio: 'pipe' }));
  }

  /** Runs a program in the environment of the installed client. */
  run(code: string, env: Environment): Promise<Ended> {
    return endOf(spawnOwned('Python', this.python, ['-c', code], { cwd: this.folder, env, stdio: 'pipe' }));
  }
}
