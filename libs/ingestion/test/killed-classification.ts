import type { Bench } from './bench';
import { ClassifiedFolder } from './classified-folder';
import { KilledProcess, passageOf } from './killed-process';

const FILES = 70;

/** Kills a process so often at each place of a classification. */
export const classificationsSurvive = (kills: number): void => {
  let processes: KilledProcess;
  let killed: Bench;
  beforeAll(async () => {
    processes = await KilledProcess.open();
    ({ killed } = processes);
  });
  afterAll(() => killed.close());
  afterEach(() => jest.restoreAllMocks());

  const opened = async (): Promise<ClassifiedFolder> => {
    const files = Array.from({ length: FILES }, (_, at) => [`f${at}.txt`, `Acta ${at}. Un acuerdo.`]);
    const folder = await ClassifiedFolder.of(killed, Object.fromEntries(files) as Record<string, string>);
    await folder.describe({ code: 'ACTA', word: 'Acta' });
    await folder.addFeature('ACTA', 'ACUERDO', 'acuerdo');
    await killed.work(folder.groupId);
    await folder.scan();
    return folder;
  };

  it.each([
    ['within the fused steps', 'pipeline.step', 50],
    ['before a commit', 'pipeline.before-commit', 2],
    ['after a commit', 'pipeline.committed', 2],
  ] as const)(
    'a document killed %s is classified once',
    async (_when, place, most) => {
      let deaths = 0;
      for (let kill = 0; kill < kills; kill += 1) {
        const folder = await opened();
        deaths += await processes.workBroken(folder.groupId, 'acquire', { place, passage: passageOf(kill, most) });
        const classes = await folder.classes();
        expect(classes.map(({ type, features }) => [type, ...features])).toEqual(
          Array(FILES).fill(['ACTA', 'ACUERDO']) as unknown,
        );
      }
      expect(deaths).toBe(kills);
    },
    60_000 + kills * 20_000,
  );

  it.each([
    ['before a commit', 'pipeline.before-commit'],
    ['after a commit', 'pipeline.committed'],
  ] as const)(
    'a second classification killed %s loses and doubles nothing',
    async (_when, place) => {
      let deaths = 0;
      for (let kill = 0; kill < kills; kill += 1) {
        const folder = await opened();
        await killed.workStage(folder.groupId, 'acquire');
        await killed.forget();
        await folder.describe({ code: 'OBRA', word: 'acuerdo' }, { code: 'ACTA', word: 'Nada' });
        deaths += await processes.workBroken(folder.groupId, 'classify-again', { place, passage: passageOf(kill, 2) });
        const classes = await folder.classes();
        expect(classes.map(({ type, version }) => [type, version])).toEqual(Array(FILES).fill(['OBRA', 3]));
        const events = await killed.published();
        expect(new Set(events.map(({ topic }) => topic))).toEqual(new Set(['document.described.v1']));
        const names = events.map(({ payload }) => (payload as { name: string }).name);
        expect(names.toSorted()).toEqual(classes.map(({ name }) => name).toSorted());
        expect(await folder.sql(`select from ingestion.document_feature where group_id = $1`)).toEqual([]);
      }
      expect(deaths).toBe(kills);
    },
    60_000 + kills * 20_000,
  );
};
