import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { deleteDocument, reportMissingDocument, revertDocument } from '@acervo/contracts';
import { BothServices } from './support/both-services';
import { Library } from './support/stores';

/** More histories, other ones each time, where their number is given; the same few otherwise. */
const GIVEN = process.env['ACERVO_MODEL_RUNS'];
const RUNS = Number(GIVEN ?? 8);
const PATHS = ['a.txt', 'b.txt', 'sub/a.txt', 'sub/c.txt'] as const;
const WORDS = ['zarzamora', 'membrillo', 'albaricoque'] as const;

type Step =
  | { readonly do: 'write'; readonly path: string; readonly word: string }
  | { readonly do: 'move'; readonly path: string; readonly to: string }
  | { readonly do: 'remove' | 'delete' | 'revert' | 'report'; readonly path: string }
  | { readonly do: 'work'; readonly stage: number; readonly times: number }
  | { readonly do: 'scan' | 'deliver' | 'compare' | 'restart' };

const path = fc.constantFrom(...PATHS);
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), path, word: fc.constantFrom(...WORDS) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), path, to: path }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('remove', 'delete', 'revert', 'report'), path }) },
    {
      weight: 7,
      arbitrary: fc.record({
        do: fc.constant('work' as const),
        stage: fc.nat(),
        times: fc.integer({ min: 1, max: 3 }),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constantFrom('scan', 'scan', 'deliver', 'deliver', 'compare', 'restart') }),
    },
  ) as fc.Arbitrary<Step>,
  { minLength: 10, maxLength: 26 },
);

/** What a person would say: which word is where, and what was deleted with which bytes. */
class World {
  readonly library: Library;
  /** Bytes that somebody deleted, by the code of the document. */
  readonly deleted = new Map<string, string>();
  /** Differences that comparisons found while nothing was lost. */
  readonly found: unknown[] = [];

  constructor(
    private readonly both: BothServices,
    name: string,
  ) {
    this.library = new Library(both, name, {
      'queda.txt': 'Queda siempre: granada.',
      'queda-2.txt': 'Queda: granada dos.',
    });
  }

  async take(step: Step): Promise<void> {
    const { both, library } = this;
    if (step.do === 'scan') return void (await library.scan());
    if (step.do === 'deliver') return void (await both.deliver());
    if (step.do === 'restart') return both.restart();
    if (step.do === 'compare') return void this.found.push(await library.compare(() => both.settle(library.groupId)));
    if (step.do === 'work') return this.work(step.stage, step.times);
    if (step.do === 'write' || step.do === 'move') return this.touch(step);
    if (step.do === 'remove') return rmSync(join(library.root, step.path), { force: true });
    return this.change(step.do as 'delete' | 'revert' | 'report', (step as { path: string }).path);
  }

  private async work(stage: number, times: number): Promise<void> {
    const names = this.both.stageNames.filter((name) => name !== 'reconcile');
    for (let turn = 0; turn < times; turn += 1)
      await this.both.workOnce(this.library.groupId, names[(stage + turn) % names.length] ?? '');
  }

  private async touch(step: Extract<Step, { do: 'write' } | { do: 'move' }>): Promise<void> {
    const file = join(this.library.root, step.path);
    if (step.do === 'write') {
      mkdirSync(dirname(file), { recursive: true });
      // A time of its own: a file system may give two writes of one moment the same.
      await pause(5);
      return writeFileSync(file, `Aquí crece ${step.word}.`);
    }
    const to = join(this.library.root, step.to);
    if (!existsSync(file) || existsSync(to)) return;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(file, to);
  }

  private async change(what: 'delete' | 'revert' | 'report', place: string): Promise<void> {
    const [row] = await this.library.sql(
      'ingestion',
      `select code, deleted_at is not null as deleted, status from ingestion.document
       where group_id = $1 and relative_path = '${place}'`,
    );
    if (row === undefined || (what !== 'revert' && row['deleted'] === true)) return;
    const call = { delete: deleteDocument, revert: revertDocument, report: reportMissingDocument }[what];
    const input = { document_code: row['code'], ...(what === 'revert' ? { status: 'DETECTED' } : {}) };
    // What cannot be taken back now is refused, and changes nothing.
    await this.both.askAs(call, this.library.groupId, input).catch((error: unknown) => {
      if (what !== 'revert') throw error;
    });
  }

  /** After a last scan and all the work: search finds what lies in the folder and was not deleted, and nothing else. */
  async judge(): Promise<void> {
    const { both, library } = this;
    await library.scan();
    await both.settle(library.groupId);
    for (const stage of ['discard', 'acquire', 'extract', 'embed', 'index']) {
      await both.hasten('ingestion', library.groupId, stage);
      await both.hasten('retrieval', library.groupId, stage);
    }
    await both.settle(library.groupId);
    const rows = await library.sql(
      'ingestion',
      `select name, relative_path as path, status, deleted_at is not null as deleted from ingestion.document where group_id = $1`,
    );
    const shown = rows.filter(({ deleted, status }) => deleted === false && status !== 'NO_ENCONTRADO');
    for (const word of [...WORDS, 'granada']) {
      const expected = shown.filter(({ path: place }) => {
        const file = join(library.root, String(place));
        return existsSync(file) && readFileSync(file, 'utf8').includes(word);
      });
      const found = await library.find(word);
      expect([word, found]).toEqual([word, expect.arrayContaining(expected.map(({ name }) => name))]);
    }
    const [held] = await library.sql(
      'retrieval',
      `select array(select d.path || '' from retrieval.live l join retrieval.document d using (group_id, document_id)
         where l.group_id = $1 and not d.withdrawn order by 1) as live`,
    );
    const [told] = await library.sql(
      'ingestion',
      `select array(select path from ingestion.document where group_id = $1 and deleted_at is null
         and status <> 'NO_ENCONTRADO' order by 1) as live`,
    );
    expect(held?.['live']).toEqual(told?.['live']);
    expect(shown.filter(({ status }) => status !== 'VECTORIZADO')).toEqual([]);
    const [counts] = await library.sql(
      'ingestion',
      `select coalesce(sum(chunk_count), 0)::int as n from ingestion.document where group_id = $1 and deleted_at is null and status <> 'NO_ENCONTRADO'`,
    );
    const { chunks, vectors, live } = await library.contents();
    expect([chunks, vectors, live]).toEqual([counts?.['n'], counts?.['n'], shown.length]);
    expect(await library.compare()).toEqual({});
    expect(this.found.filter((each) => JSON.stringify(each) !== '{}')).toEqual([]);
  }
}

describe('both services', () => {
  let both: BothServices;
  beforeAll(async () => {
    both = await BothServices.open();
  }, 120_000);
  afterAll(() => both.close());

  let folders = 0;
  it('hold exactly what a history of changes leads to, and comparisons in the middle of it find no difference', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const world = new World(both, `both-${(folders += 1)}`);
        await world.library.register();
        await world.library.scan();
        for (const step of history) await world.take(step);
        await world.judge();
        compared += world.found.length;
      }),
      { numRuns: RUNS, ...(GIVEN === undefined ? { seed: 1 } : {}) },
    );
    expect(compared).toBeGreaterThan(0);
  }, 3_000_000);
});
