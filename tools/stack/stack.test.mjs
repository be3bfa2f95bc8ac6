// Tests of the stack with the one engine that needs no download.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../lib/options.mjs';
import { inDocker } from './docker.mjs';
import { engines } from './engines/index.mjs';
import { Stack } from './stack.mjs';
import { identify, lives, readState, signal, writeState } from './state.mjs';

const folder = mkdtempSync(join(tmpdir(), 'acervo-stack-test-'));
const print = () => undefined;
const mailOnly = { wanted: ['mail'], how: 'local', print };
after(() => rmSync(folder, { recursive: true, force: true }));

const greets = (port) =>
  new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.once('data', (data) => (socket.destroy(), resolve(String(data).startsWith('220 '))));
    socket.once('error', () => resolve(false));
  });
const portOf = ({ state }) => new URL(state.variables.ACERVO_SMTP_URL).port;

test('two stacks in different directories are independent', async () => {
  const [one, two] = ['one', 'two'].map((name) => new Stack(join(folder, name)));
  await Promise.all([one.up(mailOnly), two.up(mailOnly)]);
  assert.notEqual(portOf(one), portOf(two));
  await one.down();
  assert.deepEqual([one.runs, await greets(portOf(one)), await greets(portOf(two))], [false, false, true]);
  await assert.rejects(two.up(mailOnly), /runs in .* already/);
  await two.down({ remove: true });
  assert.equal(two.state, undefined);
});

test('a killed engine stays down until a restart on its old port', async () => {
  const stack = new Stack(join(folder, 'killed'));
  await stack.up(mailOnly);
  const port = portOf(stack);
  await stack.act('mail', 'kill');
  assert.deepEqual([await greets(port), stack.state.engines.mail], [false, null]);
  await stack.act('mail', 'restart');
  assert.deepEqual([await greets(port), portOf(stack)], [true, port]);
  const { mail } = stack.state.engines;
  await stack.act('mail', 'start');
  assert.deepEqual(stack.state.engines.mail, mail);
  await assert.rejects(stack.act('mail', 'lose'), /mail cannot be emptied/);
  await assert.rejects(stack.act('mail', 'burn'), /There is no mail here, or no burn/);
  await stack.down();
  await stack.up(mailOnly);
  assert.equal(portOf(stack), port);
  await stack.down();
});

test('engines end with their keeper, or with their program if tied', async () => {
  const stack = new Stack(join(folder, 'orphans'));
  await stack.up(mailOnly);
  const { keeper, engines: started } = stack.state;
  signal(keeper, 'SIGKILL');
  for (let turn = 0; turn < 100 && lives(started.mail); turn += 1) await pause(100);
  assert.equal(lives(started.mail), false);

  const program = `import { Stack } from ${JSON.stringify(new URL('stack.mjs', import.meta.url).href)};
    await new Stack(process.argv[1]).up({ wanted: ['mail'], how: 'local', print: () => undefined, tied: true });
    console.log('up'); setInterval(() => undefined, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program, join(folder, 'tied')]);
  await new Promise((resolve) => parent.stdout.once('data', resolve));
  const tied = readState(join(folder, 'tied', 'state.json'));
  assert.equal(lives(tied.engines.mail), true);
  parent.kill('SIGKILL');
  const remain = () => lives(tied.engines.mail) || lives(tied.keeper);
  for (let turn = 0; turn < 100 && remain(); turn += 1) await pause(100);
  assert.deepEqual([lives(tied.engines.mail), lives(tied.keeper)], [false, false]);
});

test('a new process with a reused id gets no signal', () => {
  const innocent = identify(process.pid);
  const stale = { pid: process.pid, began: 'Thu Jan 1 00:00:00 1970' };
  assert.deepEqual([lives(innocent), lives(stale), signal(stale, 'SIGKILL')], [true, false, false]);
});

test('the state file is readable by its owner only', async () => {
  const file = join(folder, 'state.json');
  writeState(file, { secrets: { a: 'b' } });
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { secrets: { a: 'b' } });
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('an engine in a container reads its secrets from private files', () => {
  const directory = join(folder, 'contained');
  const { command } = inDocker({ name: 's3' }, directory);
  const { args, env } = command({ ports: { s3: 7070 }, secrets: { s3Access: 'key', s3: 'its secret' } });
  assert.equal(args.at(-1), 's3');
  const read = (name) => readFileSync(join(env.ACERVO_SECRETS, name), 'utf8');
  assert.deepEqual([read('s3_access_key'), read('s3_secret_key'), env.ACERVO_S3_PORT], ['key', 'its secret', '7070']);
  assert.equal(statSync(env.ACERVO_SECRETS).mode & 0o777, 0o700);
  assert.equal(JSON.stringify([args, env]).includes('its secret'), false);
});

/** The secrets that the compose file mounts into an engine, as names of files. */
const mountedIn = (name) => {
  const compose = readFileSync(join(root, 'docker', 'compose.yaml'), 'utf8');
  const [, service] = new RegExp(`^  ${name}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(compose) ?? [];
  const [, list = ''] = /^ {4}secrets:(.*\n(?: {6}- .*\n)*)/m.exec(service ?? '') ?? [];
  return list.match(/\w+/g) ?? [];
};

test('an engine in a container finds every secret that compose mounts', () => {
  const directory = join(folder, 'mounted');
  // The keeper makes the certificate for all engines.
  const certificate = (name) => name.startsWith('tls_');
  for (const definition of engines) {
    const contained = inDocker(definition, directory);
    if (contained === definition) continue;
    const secrets = Object.fromEntries(definition.secrets.map((name) => [name, 'secret']));
    const { env } = contained.command({ ports: {}, secrets });
    const expected = mountedIn(definition.name).filter((name) => !certificate(name));
    assert.notEqual(expected.length, 0, definition.name);
    for (const name of expected) assert.ok(existsSync(join(env.ACERVO_SECRETS, name)), name);
  }
});
