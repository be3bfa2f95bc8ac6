// Promises about logins, measured on a running installation: enumeration of addresses, attempt limits, tokens.
import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { HttpClient, Tables } from '@acervo/e2e/harness';
import { inPlace, withRunning } from './lib/installation.mjs';

const require = createRequire(import.meta.url);
const ADMIN = { email: 'admin@acervo.local', password: 'una clave de banco 7' };
const print = (text) => process.stdout.write(`${text}\n`);

/** Area under the curve of two samples (Mann-Whitney): 0.5 if they are indistinguishable. */
const auc = (one, other) => {
  const ranked = [...one.map((value) => ({ value, of: 1 })), ...other.map((value) => ({ value, of: 0 }))].sort(
    (a, b) => a.value - b.value,
  );
  const sum = ranked.reduce((total, { of }, index) => total + (of === 1 ? index + 1 : 0), 0);
  return (sum - (one.length * (one.length + 1)) / 2) / (one.length * other.length);
};

/** A code of RFC 6238 for a base-32 secret, computed from the definition. */
const codeOf = (secret, step) => {
  const bits = [...secret]
    .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const at = mac[19] & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
};

const client = (port) => {
  const anonymous = new HttpClient({ port });
  const ask = (method, path, { body, token, address, headers = {} } = {}) =>
    anonymous.send(method, path, body, {
      'x-request-id': 'bench',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(address === undefined ? {} : { 'x-forwarded-for': address }),
      ...headers,
    });
  return { ask, logIn: (headers) => ask('POST', '/auth/login', { body: ADMIN, headers }) };
};

const addressOf = (index) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

/** Whether bytes or times distinguish a known address from an unknown one, measured interleaved. */
const enumeration = async ({ ask }, forget, rounds) => {
  const doors = [
    ['login', (email) => ({ email, password: 'no es esta clave' })],
    ['login, empty password', (email) => ({ email, password: '' })],
    ['recuperar-clave', (email) => ({ email })],
    ['reenviar-invitacion', (email) => ({ email })],
    ['registro', (email) => ({ email, nombre: 'Alguien', nombre_grupo: 'Algo' })],
    ['registrar', (email) => ({ email, nombre: 'Alguien', nombre_grupo: 'Algo' })],
  ];
  for (const [name, bodyOf] of doors) {
    const [path] = name.split(',');
    const [times, texts] = [{ known: [], unknown: [] }, new Set()];
    for (let round = 0; round < rounds; round += 1) {
      const kinds = round % 2 === 0 ? ['known', 'unknown'] : ['unknown', 'known'];
      for (const kind of kinds) {
        const email = kind === 'known' ? ADMIN.email : `nobody${round % 7}@acervo.local`;
        await forget();
        const start = performance.now();
        const { status, text } = await ask('POST', `/auth/${path}`, { body: bodyOf(email), address: addressOf(round) });
        times[kind].push(performance.now() - start);
        texts.add(`${status} ${text}`);
      }
    }
    const area = auc(times.known.slice(10), times.unknown.slice(10));
    print(
      `${name.padEnd(24)} answers ${texts.size} (goal 1)   AUC ${area.toFixed(3)} (goal 0.5 +/- 0.03)   N ${rounds}`,
    );
  }
};

const attempts = async ({ ask, logIn }, forget) => {
  await forget();
  const device = (await logIn()).headers.get('x-device-token');
  const wrong = { email: ADMIN.email, password: 'no es esta clave' };
  const send = (index) => ask('POST', '/auth/login', { body: wrong, address: addressOf(index % 100) });
  const first = [];
  for (let index = 0; index < 500; index += 1) first.push((await send(index)).status);
  const rest = await Promise.all(Array.from({ length: 500 }, (_, index) => send(index).then(({ status }) => status)));
  const hashed = [...first, ...rest].filter((status) => status === 401).length;
  const loggedIn = await logIn({ 'x-device-token': device });
  print(
    `wrong passwords looked at: ${hashed} of 1000 over 100 addresses (goal 5 at most); known device then: ${loggedIn.status} (goal 200)`,
  );
};

const totp = async ({ ask, logIn }, forget, rounds) => {
  const token = (await logIn()).body.access_token;
  const enrolled = (await ask('POST', '/auth/mfa/enroll', { token })).body;
  const factor = { factor_id: enrolled.factor_id };
  const challenge = async (bearer) => (await ask('POST', '/auth/mfa/challenge', { token: bearer })).body.challenge_id;
  const give = async (bearer, code, id) =>
    (await ask('POST', '/auth/mfa/verify', { token: bearer, body: { ...factor, challenge_id: id, code } })).status;
  const step = () => Math.floor(Date.now() / 30_000);
  const setUp = codeOf(enrolled.totp.secret, step());
  const verified = await ask('POST', '/auth/mfa/verify', {
    token,
    body: { ...factor, challenge_id: await challenge(token), code: setUp },
  });
  const again = (await logIn()).body.access_token;
  print(
    `set-up code: ${verified.status} (goal 200), at the first login: ${await give(again, setUp, await challenge(again))} (goal 422)`,
  );
  let [most, successes] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    await forget(enrolled.factor_id);
    const ids = await Promise.all(Array.from({ length: 20 }, () => challenge(again)));
    const code = codeOf(enrolled.totp.secret, step());
    const won = (await Promise.all(ids.map((id) => give(again, code, id)))).filter((status) => status === 200).length;
    [most, successes] = [Math.max(most, won), successes + won];
  }
  print(`one code twenty times at once: at most ${most} successes, ${successes} in all (goal 1 each)   N ${rounds}`);
  await forget();
  const bursts = [];
  for (let at = 0; at < 500; at += 20) {
    const ids = await Promise.all(Array.from({ length: 20 }, () => challenge(again)));
    bursts.push(...(await Promise.all(ids.map((id) => give(again, '000000', id)))));
  }
  const [looked, delayed] = [422, 429].map((wanted) => bursts.filter((status) => status === wanted).length);
  print(`wrong codes looked at: ${looked} of ${bursts.length} in bursts of 20 (goal 10 at most); delayed: ${delayed}`);
};

const revocation = async ({ ask, logIn }, forget) => {
  await forget();
  const token = (await logIn()).body.access_token;
  const load = { late: 0, total: 0, since: Infinity, on: true };
  const one = async () => {
    const started = performance.now();
    const { status } = await ask('GET', '/auth/mfa/factors', { token });
    load.total += 1;
    if (status === 200 && started > load.since) load.late += 1;
  };
  const timer = setInterval(() => void one().catch(() => undefined), 20);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  await ask('POST', '/auth/logout', { token });
  load.since = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  clearInterval(timer);
  print(`after logout under 50 requests a second: ${load.late} successes (goal 0)   N ${load.total}`);
};

/** Rotates keys while tokens of all keys are in use. */
const rotation = async ({ ask, logIn }, forget, keys) => {
  const tokens = [];
  let [rejected, asked] = [0, 0];
  for (let round = 0; round < 5; round += 1) {
    await forget();
    tokens.push((await logIn()).body.access_token);
    await keys.rotate(0);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        ask('GET', '/auth/mfa/factors', { token: tokens[index % tokens.length] }),
      ),
    );
    rejected += answers.filter(({ status }) => status !== 200).length;
    asked += answers.length;
  }
  print(`valid tokens rejected over five rotations: ${rejected} (goal 0)   N ${asked}`);
};

/** Forgets counted attempts, and the last code of a factor. */
const forgetting = (tables) => async (factorId) => {
  await tables.change('auth_app', 'delete from auth.rate_count');
  if (factorId !== undefined) await tables.change('auth_app', 'update auth.factor set last_step = -1');
};

/** The signing keys of an installation, with what opens their seal. */
const signingKeys = (database, data) => {
  const { SigningKeys, Seal, Peppers } = require('@acervo/auth');
  const { keyPepper } = JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8'));
  return new SigningKeys(database, new Seal(new Peppers(keyPepper), 'signing-key'));
};

const measure = async (running, data, rounds) => {
  const { Database } = require('@acervo/platform-database');
  const connection = (role) => running.connection(role);
  const [tables, database] = [new Tables(connection, running.group.groupId), new Database(connection('auth_app'))];
  const forget = forgetting(tables);
  try {
    const http = client(running.port);
    await enumeration(http, forget, rounds);
    await attempts(http, forget);
    await revocation(http, forget);
    await rotation(http, forget, signingKeys(database, data));
    await totp(http, forget, Math.min(rounds, 1_000));
  } finally {
    await Promise.all([tables.close(), database.close()]);
  }
};

export const run = ({ rounds }) =>
  inPlace(undefined, (place) => {
    const [folder, data] = [join(place, 'folder'), join(place, 'data')];
    mkdirSync(folder);
    const administrator = { ACERVO_ADMIN_EMAIL: ADMIN.email, ACERVO_ADMIN_PASSWORD: ADMIN.password };
    const environment = { ...administrator, ACERVO_LOG_LEVEL: 'error' };
    const settings = { ACERVO_TRUSTED_PROXIES: '1' };
    return withRunning({ folder, data, environment, settings }, async ({ running }) => {
      await running.ingested;
      await measure(running, data, rounds);
    });
  });
