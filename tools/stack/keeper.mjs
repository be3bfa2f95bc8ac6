// keeper.mjs REQUEST: starts the engines of one stack, monitors them, and stops them at its own end.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { certificateIn } from './certificate.mjs';
import { inDocker, secretsOf } from './docker.mjs';
import { Engine } from './engine.mjs';
import { engines as definitions } from './engines/index.mjs';
import { freePort, isFree } from './net.mjs';
import { placeOf, Refused } from './place.mjs';
import { identify, readState, writeState } from './state.mjs';

const { directory, wanted, how } = JSON.parse(process.argv[2]);
const place = placeOf(directory);
const notifyParent = (message) => process.connected && process.send(message);
const print = (name) => (text) => notifyParent({ kind: 'say', text: `${name}: ${text}` });

const before = readState(place.state) ?? {};
const token = randomBytes(16).toString('hex');
const engines = new Map();
const control = createServer();
let stopping;

/** Secrets live as long as the data that was created with them. */
const secretsFor = ({ secrets }) =>
  Object.fromEntries(secrets.map((name) => [name, before.secrets?.[name] ?? randomBytes(16).toString('hex')]));

/** Ports are reused too, unless another process took one: a data directory records its database by the port. */
const portsFor = async ({ ports }) => {
  const chosen = {};
  for (const name of ports) {
    const recorded = before.ports?.[name];
    chosen[name] = recorded !== undefined && (await isFree(recorded)) ? recorded : await freePort();
  }
  return chosen;
};

const record = () =>
  writeState(place.state, {
    directory: place.path,
    how,
    keeper: { ...identify(process.pid), port: control.address()?.port, token },
    engines: Object.fromEntries([...engines].map(([name, engine]) => [name, engine.recorded ?? null])),
    secrets: Object.assign({ ...before.secrets }, ...[...engines.values()].map(({ context }) => context.secrets)),
    ports: Object.assign({ ...before.ports }, ...[...engines.values()].map(({ context }) => context.ports)),
    variables: Object.assign({}, ...[...engines.values()].map((engine) => engine.variables)),
  });

/** One certificate for all engines of the stack, where containers find their secrets. */
const tls = certificateIn(secretsOf(place.path));

const begin = async (definition) => {
  const { name, what } = definition;
  const installed = await definition.install(print(name));
  const context = {
    directory: place.of(name),
    installed,
    secrets: secretsFor(definition),
    ports: await portsFor(definition),
    tls: await tls,
  };
  const engine = new Engine(definition, context, join(place.logs, `${name}.log`));
  engines.set(name, engine);
  const began = Date.now();
  await engine.start();
  record();
  print(name)(`${what} answers after ${((Date.now() - began) / 1_000).toFixed(1)} s`);
};

const stop = async () => {
  control.close();
  await Promise.all([...engines.values()].map((engine) => engine.stop()));
  record();
};

const end = (code) => {
  stopping ??= stop().finally(() => process.exit(code));
};

const actions = {
  kill: (engine) => engine.kill(),
  lose: (engine) => engine.lose(),
  stop: (engine) => engine.stop(),
  freeze: (engine) => engine.freeze(),
  thaw: (engine) => engine.thaw(),
  start: (engine) => engine.start(),
  restart: async (engine) => {
    await engine.stop();
    await engine.start();
  },
};

/** POST /{engine}/{action}; requires the token of the state file. */
control.on('request', (request, response) => {
  const [, name, action] = (request.url ?? '').split('/');
  const engine = engines.get(name);
  const done = (status, text) => response.writeHead(status).end(text);
  if (request.headers.authorization !== token) return done(403, 'The token of the state file is missing.');
  if (engine === undefined || !(action in actions)) return done(404, `There is no ${name} here, or no ${action}.`);
  actions[action](engine).then(
    () => (record(), done(200, 'done')),
    (error) => done(500, error.message),
  );
});

for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => end(0));
// The keeper ends with its parent process, until the parent releases it.
let released = false;
process.on('message', (message) => (released = message === 'released'));
process.on('disconnect', () => released || end(0));

mkdirSync(place.logs, { recursive: true });
await new Promise((resolve) => control.listen(0, '127.0.0.1', resolve));
record();
const wantedEngines = definitions
  .filter(({ name }) => wanted.includes(name))
  .map((definition) => (how === 'docker' ? inDocker(definition, place.path) : definition));
const starts = await Promise.allSettled(wantedEngines.map(begin));
const problems = starts.flatMap(({ reason }) =>
  reason === undefined ? [] : [reason instanceof Refused ? reason.message : String(reason.stack ?? reason)],
);
if (problems.length > 0) {
  notifyParent({ kind: 'failed', problems });
  end(1);
} else notifyParent({ kind: 'ready' });
