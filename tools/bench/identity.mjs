// Promises about logins, measured on a running installation: enumeration of addresses, attempt limits, tokens.
import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { HttpClient, Tables } from '@acervo/e2e/harness';
import { goal } from './lib/goals.mjs';
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
    `wrong passwords compared: ${hashed} of 1000 over 100 addresses ${goal('5 at most', hashed <= 5)}; known device then: ${loggedIn.status} ${goal('200', loggedIn.status === 200)}`,
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
};

const STEP_MS = 30_000;
const codeNow = (factor) => codeOf(factor.totp.secret, Math.floor(Date.now() / STEP_MS));

/** The routes of factors, for one session. */
const factorsOf = ({ ask }, token) => {
  const post = (path, body, address) => ask('POST', `/auth/mfa/${path}`, { token, body, address });
  return {
    enroll: async () => (await post('enroll', {})).body,
    challenge: (factorId) => post('challenge', { factor_id: factorId }),
    verify: (body, address) => post('verify', body, address),
  };
};

/** The hexadecimal letters of an id in the spelling that a number stands for. */
const spelled = (id, number) => {
  let letter = 0;
  return id.replace(/[a-f]/g, (digit) => ((number >> letter++) & 1 ? digit.toUpperCase() : digit));
};

const tokenOf = async ({ logIn }) => (await logIn()).body.access_token;

/** A verified factor of a session that has none yet; the session itself then has aal2. */
const verifiedFactor = async (http) => {
  const session = factorsOf(http, await tokenOf(http));
  const factor = await session.enroll();
  const { body } = await session.challenge(factor.factor_id);
  const proof = { factor_id: factor.factor_id, challenge_id: body.challenge_id, code: codeNow(factor) };
  const { status } = await session.verify(proof);
  if (status !== 200) throw new Error(`The factor was not verified: ${status}.`);
  return factor;
};

const SESSIONS = 20;
const CHALLENGES = 10;
const GUESSES_EACH = 50;
const ADDRESSES = 50;

const countsOf = (statuses) =>
  statuses.reduce((counts, status) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }), {});

/** Wrong codes for one factor, each with another spelling of its id, over many sessions, challenges and addresses. */
const spellings = async (http, { forget, tables }) => {
  await forget();
  await tables.change('auth_app', 'delete from auth.factor');
  const { factor_id: id } = await verifiedFactor(http);
  await forget();
  const statuses = [];
  let refused = 0;
  for (let session = 0; session < SESSIONS; session += 1) {
    const factors = factorsOf(http, await tokenOf(http));
    for (let opened = 0; opened < CHALLENGES; opened += 1) {
      const { status, body } = await factors.challenge(spelled(id, statuses.length));
      if (status === 429) refused += 1;
      const challenge_id = body.challenge_id ?? '00000000-0000-4000-8000-000000000000';
      const first = statuses.length;
      const guess = (_, each) => {
        const number = first + each;
        const proof = { factor_id: spelled(id, number), challenge_id, code: String(number).padStart(6, '0') };
        return factors.verify(proof, addressOf(number % ADDRESSES));
      };
      const answers = await Promise.all(Array.from({ length: GUESSES_EACH }, guess));
      statuses.push(...answers.map((answer) => answer.status));
    }
  }
  // A request that an overloaded program refuses with 503 compares nothing.
  const compared = statuses.filter((status) => status !== 429 && status !== 503).length;
  const extra = Math.max(0, compared - 10);
  print(`answers by status: ${JSON.stringify(countsOf(statuses))}`);
  print(
    `extra guesses by spelling: ${extra} of ${statuses.length} ${goal('0', extra === 0)}   compared: ${compared} ${goal('10 at most', compared <= 10)}   challenges refused: ${refused}`,
  );
};

/** A factor enrolled with the password before the owner's; afterwards a session with the password tries to prove it. */
const planted = async (http, { forget, tables }, rounds) => {
  let lifted = 0;
  for (let round = 0; round < rounds; round += 1) {
    await forget();
    await tables.change('auth_app', 'delete from auth.factor');
    const early = factorsOf(http, await tokenOf(http));
    const plants = [await early.enroll(), await early.enroll()];
    const opened = await Promise.all(plants.map(({ factor_id }) => early.challenge(factor_id)));
    await verifiedFactor(http);
    const late = factorsOf(http, await tokenOf(http));
    const tries = plants.flatMap((plant, index) =>
      [early, late].map(async (session) => {
        const again = await session.challenge(plant.factor_id);
        const challenge_id = again.body.challenge_id ?? opened[index].body.challenge_id;
        return session.verify({ factor_id: plant.factor_id, challenge_id, code: codeNow(plant) });
      }),
    );
    lifted += (await Promise.all(tries)).filter(({ status }) => status === 200).length;
  }
  print(`aal2 sessions by pending factors: ${lifted} ${goal('0', lifted === 0)}   N ${rounds * 4}`);
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
  const statuses = new Map();
  for (let round = 0; round < 5; round += 1) {
    await forget();
    tokens.push((await logIn()).body.access_token);
    await keys.rotate(0);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        ask('GET', '/auth/mfa/factors', { token: tokens[index % tokens.length] }),
      ),
    );
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const { 200: accepted = 0, 401: rejected = 0, ...others } = Object.fromEntries(statuses);
  const asked = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  print(
    `valid tokens rejected over five rotations: ${rejected} ${goal('0', rejected === 0)}   accepted: ${accepted} ${goal('all', accepted === asked)}   other answers: ${JSON.stringify(others)}   N ${asked}`,
  );
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

const measure = async (running, data, { rounds, only }) => {
  const { Database } = require('@acervo/platform-database');
  const connection = (role) => running.connection(role);
  const [tables, database] = [new Tables(connection, running.group.groupId), new Database(connection('auth_app'))];
  const forget = forgetting(tables);
  try {
    const http = client(running.port);
    const parts = {
      enumeration: () => enumeration(http, forget, rounds),
      attempts: () => attempts(http, forget),
      revocation: () => revocation(http, forget),
      rotation: () => rotation(http, forget, signingKeys(database, data)),
      totp: () => totp(http, forget, Math.min(rounds, 1_000)),
      spellings: () => spellings(http, { forget, tables }),
      planted: () => planted(http, { forget, tables }, Math.min(rounds, 100)),
    };
    for (const name of only?.split(',') ?? Object.keys(parts)) await parts[name]();
  } finally {
    await Promise.all([tables.close(), database.close()]);
  }
};

export const run = (asked) =>
  inPlace(undefined, (place) => {
    const [folder, data] = [join(place, 'folder'), join(place, 'data')];
    mkdirSync(folder);
    const administrator = { ACERVO_ADMIN_EMAIL: ADMIN.email, ACERVO_ADMIN_PASSWORD: ADMIN.password };
    const environment = { ...administrator, ACERVO_LOG_LEVEL: 'error' };
    const settings = { ACERVO_TRUSTED_PROXIES: '1' };
    return withRunning({ folder, data, environment, settings }, async ({ running }) => {
      await running.ingested;
      await measure(running, data, asked);
    });
  });
