import { randomUUID } from 'node:crypto';
import type { Scope } from '@acervo/rbac';
import { announce, announceVectors, apart, prepare, userScope } from './documents';
import { SpaceCalls } from './spaces';
import { openRetrieval, type Retrieval } from './support';

const texts = ['La junta reparte el agua del pozo.'];
let retrieval: Retrieval;
let calls: SpaceCalls;

beforeAll(async () => {
  retrieval = await openRetrieval();
  calls = await SpaceCalls.of(retrieval);
});
afterAll(() => retrieval.close());

it('a space by status is stale once words, and once vectors, of a document are loaded', async () => {
  const groupId = randomUUID();
  const owner: Scope = userScope(groupId, { userId: randomUUID(), profile: 'USUARIO', credentialId: 'k' });
  const shown = async (spaceId: number): Promise<[number, boolean]> => {
    const { documentCount, isStale } = (await calls.get(owner, spaceId)).space;
    return [documentCount, isStale];
  };
  const first = apart(await prepare(retrieval, { groupId, texts }));
  await announce(retrieval, groupId, first.words);
  const byWords = await calls.gathered(owner, { status: 'FRAGMENTADO' });
  const whole = await calls.gathered(owner, { status: 'VECTORIZADO' });
  const typed = await calls.gathered(owner, { documentTypes: ['T'] });
  expect(await shown(byWords)).toEqual([0, false]);

  await retrieval.work(groupId, 'index');
  expect([await shown(byWords), await shown(whole), await shown(typed)]).toEqual([
    [0, true],
    [0, true],
    [0, false],
  ]);
  await calls.refresh(owner, byWords);
  await calls.refresh(owner, whole);
  expect([await shown(byWords), await shown(whole)]).toEqual([
    [1, false],
    [0, false],
  ]);

  await announceVectors(retrieval, groupId, first.vectors);
  await retrieval.work(groupId, 'vectors');
  expect([await shown(byWords), await shown(whole)]).toEqual([
    [1, true],
    [0, true],
  ]);
  await calls.refresh(owner, byWords);
  await calls.refresh(owner, whole);
  expect([await shown(byWords), await shown(whole), await shown(typed)]).toEqual([
    [0, false],
    [1, false],
    [0, false],
  ]);
});
