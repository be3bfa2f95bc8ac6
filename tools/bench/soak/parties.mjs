// Two groups with folders of their own, and what their people, programs and files do all the time.
import { mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpClient, PASSWORD, registered, until } from '@acervo/e2e/harness';
import { wordOf } from '../faults/documents.mjs';
import { numbers, sentence } from '../texts.mjs';

export const ADMINISTRATOR = 'admin@acervo.local';
const NEIGHBOUR = 'vecina@example.test';
/** Files of each folder. Names stay the same, so that no table grows with the time. */
const FILES = 60;
const SENTENCES = 26;
/** Pauses between two rounds of a person and of a folder. */
const PERSON_MS = 4_000;
const FOLDER_MS = 10_000;

const textOf = (index, next) => {
  const sentences = Array.from({ length: SENTENCES }, () => sentence(next));
  return [...sentences.slice(0, 5), `El ${wordOf(index)} consta.`, ...sentences.slice(5)].join(' ');
};

/** The files of a group: one is changed, one removed and one comes back each round. */
class Folder {
  constructor(path, seed) {
    Object.assign(this, { path, next: numbers(seed), gone: undefined, changes: 0 });
    mkdirSync(path, { recursive: true });
    for (let index = 0; index < FILES; index += 1) this.write(index);
  }

  write(index) {
    writeFileSync(join(this.path, `acta-${index}.txt`), textOf(index, this.next));
    this.changes += 1;
  }

  turn() {
    const pick = () => Math.floor(this.next() * FILES);
    if (this.gone !== undefined) this.write(this.gone);
    this.gone = pick();
    unlinkSync(join(this.path, `acta-${this.gone}.txt`));
    const changed = pick();
    if (changed !== this.gone) this.write(changed);
  }
}

/** A group with its key, its administrator and its folder. */
const partyOf = (name, { port, key, email, folder }) => ({
  ...{ name, port, key, email, folder },
  ...{ words: Array.from({ length: FILES }, (_, index) => `${wordOf(index)} consta en el libro`) },
  addresses: [name === 'first' ? '192.0.2.1' : '198.51.100.1'],
});

/** The folder that the program is started with, before it is started. */
export const firstFolder = (place) => new Folder(join(place, 'folders', 'first'), 11);

/** The second group: its code and its key. Folders are opened to a group by its code, at a start after this one. */
export const registerNeighbour = (port, data) => registered(new HttpClient({ port }), data, NEIGHBOUR);

/** Opens both groups of a running installation, and waits until both folders are searchable. */
export const openParties = async (installation, { place, folder, key }) => {
  const { program } = installation;
  const second = new Folder(join(place, 'folders', 'second'), 12);
  const parties = [
    partyOf('first', { port: program.port, key: program.key, email: ADMINISTRATOR, folder }),
    partyOf('second', { port: program.port, key, email: NEIGHBOUR, folder: second }),
  ];
  const neighbour = new HttpClient({ port: program.port, key });
  const body = { input: { path: second.path }, confirm: true };
  const { status, text } = await neighbour.ask('POST', '/v1/operations/locations.create:execute', body);
  if (status !== 200) throw new Error(`The folder of the second group was not added: ${status} ${text}`);
  for (const party of parties)
    await until(
      `the documents of the ${party.name} group`,
      async () => {
        const found = await clientOf(party).send('POST', '/v1/documents/search', {
          query: party.words[FILES - 1],
          limit: 1,
        });
        return found.status === 200 && found.body.documents.length > 0;
      },
      600_000,
    );
  return parties;
};

const clientOf = ({ port, key }) => new HttpClient({ port, key, answersWithinMs: 20_000 });

/** What a program and an administrator do: lists, a login, a key that is made, used and revoked, a logout. */
const beOnce = async (party) => {
  // Routes of auth refuse keys, so that the client has none and each request names its credential.
  const client = new HttpClient({ port: party.port, answersWithinMs: 20_000 });
  const ask = async (method, path, body, bearer) => {
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    const answer = await client.send(method, path, body, headers);
    if (answer.status > 299) throw new Error(`${method} ${path} answered ${answer.status}`);
    return answer.body;
  };
  for (const path of ['/v1/documents?limit=20', '/v1/locations', '/v1/session', '/v1/operations'])
    await ask('GET', path, undefined, party.key);
  const { access_token: token } = await ask('POST', '/auth/login', { email: party.email, password: PASSWORD });
  await ask('GET', '/auth/me', undefined, token);
  const { api_key: key, prefijo } = await ask('POST', '/auth/api-key', { nombre: 'soak' }, token);
  await ask('GET', '/v1/session', undefined, key);
  await ask('DELETE', `/auth/api-key/${prefijo}`, undefined, token);
  await ask('POST', '/auth/logout', undefined, token);
};

/** Repeats work until the signal ends it; a failure is counted and does not end it. */
const repeat = async (signal, everyMs, counts, name, work) => {
  while (!signal.aborted) {
    await work().then(
      () => (counts[name] = (counts[name] ?? 0) + 1),
      (error) => {
        counts[`${name} failed`] = (counts[`${name} failed`] ?? 0) + 1;
        counts.lastFailure = String(error.message).slice(0, 200);
      },
    );
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
  }
};

/** Lets people, programs and files of all groups act until the signal ends it. */
export const live = (parties, signal, counts) =>
  Promise.all(
    parties.flatMap((party) => [
      repeat(signal, PERSON_MS, counts, 'rounds of a person', () => beOnce(party)),
      repeat(signal, FOLDER_MS, counts, 'changes of a folder', async () => party.folder.turn()),
    ]),
  );
