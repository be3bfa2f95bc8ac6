import { createLocation, materializeWeb, reviewWeb } from '@acervo/contracts';
import { type Bench, newGroup } from './bench';
import { KilledProcess, passageOf } from './killed-process';
import { htmlPage, WebSite } from '@acervo/platform-testing';

/** Texts that differ by their numbers alone count as one page. */
const NAMES = 'alta baja chica grande honda larga mayor nueva rota seca turbia vieja'.split(' ');
const PAGES = NAMES.length;

const everyPath = NAMES.map((name) => `/acequia-${name}.html`);

/** Kills a process so often in each phase of a run. */
export const webRunsSurvive = (kills: number): void => {
  let site: WebSite;
  let processes: KilledProcess;
  let killed: Bench;
  beforeAll(async () => {
    site = await WebSite.open();
    for (const [at, path] of everyPath.entries())
      site.pages.set(path, htmlPage(`Acequia ${NAMES[at]}`, `El riego de la acequia ${NAMES[at]}.`, everyPath));
    processes = await KilledProcess.open(site.environment);
    ({ killed } = processes);
  });
  afterAll(async () => {
    await killed.close();
    await site.close();
  });
  afterEach(() => jest.restoreAllMocks());

  const added = async (topic: string) => {
    const groupId = newGroup();
    const ask = (call: Parameters<Bench['askAs']>[0], input: Record<string, unknown>) =>
      killed.askAs(call, groupId, input, { groupCode: 'G1', activeEntity: 'E1' }, 'operations');
    const start = { name: 'Acequias', start_urls: [site.url(everyPath[0] ?? '')], topic };
    const { location_code } = await ask(createLocation, start);
    site.requests.length = 0;
    return { groupId, ask, location_code };
  };
  const counted = (paths: readonly string[]): number[] => paths.map((path) => site.times(path));

  it(
    'finds each page once in spite of kills of its research',
    async () => {
      let deaths = 0;
      for (let kill = 0; kill < kills; kill += 1) {
        const { groupId, ask, location_code } = await added(`riego de acequias ${kill}`);
        deaths += await processes.workBroken(groupId, 'web', { place: 'web.page', passage: passageOf(kill, PAGES) });
        const { candidates } = (await ask(reviewWeb, { location_code })) as { candidates: { url: string }[] };
        expect(candidates.map(({ url }) => url).toSorted()).toEqual(everyPath.map((path) => site.url(path)).toSorted());
        expect(counted(everyPath)).toEqual(Array(PAGES).fill(1));
      }
      expect(deaths).toBe(kills);
    },
    60_000 + kills * 10_000,
  );

  it.each([
    ['between two pages', 'web.page', PAGES],
    ['while it writes documents', 'scan.batch', 1],
  ] as const)(
    'makes one document of each page when it is killed %s',
    async (when, place, most) => {
      let deaths = 0;
      for (let kill = 0; kill < kills; kill += 1) {
        const { groupId, ask, location_code } = await added(`riego de acequias ${when} ${kill}`);
        await killed.workStage(groupId, 'web');
        await ask(reviewWeb, { location_code, approve: ['*'] });
        await ask(materializeWeb, { location_code });
        site.requests.length = 0;
        deaths += await processes.workBroken(groupId, 'web', { place, passage: passageOf(kill, most) });
        expect(counted(everyPath)).toEqual(Array(PAGES).fill(1));
        await killed.work(groupId);
        const documents = await killed.database.write({ groupId }, (tx) =>
          tx.query<{ url: string; object: string; status: string }>(
            `select url, original_object as object, status from ingestion.document where group_id = $1`,
            [groupId],
          ),
        );
        expect(documents.map(({ url }) => url).toSorted()).toEqual(everyPath.map((path) => site.url(path)).toSorted());
        expect(new Set(documents.map(({ status }) => status))).toEqual(new Set(['FRAGMENTADO']));
        const stored = new Set(await killed.objectKeys(groupId));
        expect(documents.filter(({ object }) => !stored.has(object))).toEqual([]);
      }
      expect(deaths).toBe(kills);
    },
    60_000 + kills * 10_000,
  );
};
