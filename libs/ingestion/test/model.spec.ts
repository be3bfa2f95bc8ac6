import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { deleteDocument, registerFolder, reportMissingDocument, revertDocument, startRun } from '@acervo/contracts';
import { Bench, newGroup } from './bench';

/** A given number runs that many random histories; otherwise the same few run. */
const RUNS_SETTING = process.env['ACERVO_MODEL_RUNS'];
const RUNS = Number(RUNS_SETTING ?? 6);
const PATHS = ['a.txt', 'b.txt', 'sub/a.txt', 'sub/c.txt', 'sub/deep/d.txt'] as const;
const TEXTS = ['Uno.', 'Dos.', 'Tres y cuatro.'] as const;

type State = 'live' | 'missing' | 'deleted';

/** A document as a user would describe it. */
interface Observed {
  path: string;
  text: string;
  state: State;
  readonly id: number;
}

const count = <T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
};

/** Documents by the rules of the design, as plain lists. */
class Oracle {
  readonly documents: Observed[] = [];
  private next = 1;

  at(path: string): Observed | undefined {
    return this.documents.find((each) => each.path === path);
  }

  scan(files: ReadonlyMap<string, string>, accept: boolean): void {
    const present = this.documents.filter(({ state }) => state === 'live').length;
    let absent = this.documents.filter(({ path }) => !files.has(path));
    let unknown = [...files.keys()].filter((path) => this.at(path) === undefined);
    const gone = count(absent, ({ text }) => text);
    const moves: [Observed, string][] = [];
    for (const [text, [path, ...more]] of count(unknown, (each) => files.get(each) ?? '')) {
      const [document, ...others] = gone.get(text) ?? [];
      if (document !== undefined && path !== undefined && more.length + others.length === 0)
        moves.push([document, path]);
    }
    absent = absent.filter((document) => !moves.some(([moved]) => moved === document));
    unknown = unknown.filter((path) => !moves.some(([, to]) => to === path));
    for (const [document, path] of moves) document.path = path;
    for (const document of this.documents) {
      const text = files.get(document.path);
      if (text === undefined || (document.state === 'deleted' && text === document.text)) continue;
      Object.assign(document, { text, state: 'live' });
    }
    for (const path of unknown)
      this.documents.push({ path, text: files.get(path) ?? '', state: 'live', id: this.next++ });
    const leaving = absent.filter(({ state }) => state === 'live');
    if (leaving.length <= present / 2 || accept) for (const document of leaving) document.state = 'missing';
  }
}

type Step =
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'move'; readonly path: string; readonly to: string }
  | { readonly do: 'remove' | 'delete' | 'revert' | 'report'; readonly path: string }
  | { readonly do: 'scan'; readonly accept: boolean };

const path = fc.constantFrom(...PATHS);
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), path, text: fc.constantFrom(...TEXTS) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), path, to: path }) },
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constantFrom('remove', 'delete', 'delete', 'revert', 'report'), path }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('scan' as const), accept: fc.boolean() }) },
  ) as fc.Arbitrary<Step>,
  { minLength: 8, maxLength: 16 },
);

describe('a folder that users change', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());

  let folders = 0;
  class World {
    readonly oracle = new Oracle();
    readonly groupId = newGroup();
    readonly root = bench.folder(`model-${(folders += 1)}`, { 'keep-1.txt': 'Queda uno.', 'keep-2.txt': 'Queda dos.' });
    private location = '';
    /** Codes by the id that the oracle gave. */
    private readonly codes = new Map<number, string>();

    async open(): Promise<void> {
      const registered = await bench.ask(registerFolder, this.groupId, { path: this.root, entity_code: 'E1' });
      this.location = String(registered['location_code']);
      await this.scan(false);
    }

    async take(step: Step): Promise<void> {
      if (step.do === 'scan') return this.scan(step.accept);
      const file = join(this.root, step.path);
      if (step.do === 'write') {
        mkdirSync(dirname(file), { recursive: true });
        // A time of its own: a file system may give two immediate writes the same time.
        return new Promise((done) => setTimeout(done, 5)).then(() => writeFileSync(file, step.text));
      }
      if (step.do === 'remove') return rmSync(file, { force: true });
      if (step.do === 'move') {
        const to = join(this.root, step.to);
        if (!existsSync(file) || existsSync(to)) return;
        mkdirSync(dirname(to), { recursive: true });
        return renameSync(file, to);
      }
      await this.change(step.do, step.path);
    }

    private async change(what: 'delete' | 'revert' | 'report', place: string): Promise<void> {
      const document = this.oracle.at(place);
      const allowed = what === 'revert' ? document?.state !== 'missing' : document?.state === 'live';
      if (document === undefined || !allowed) return;
      // A document without its file cannot start again: its content would be lost.
      if (what === 'revert' && !existsSync(join(this.root, document.path))) return;
      const call = { delete: deleteDocument, revert: revertDocument, report: reportMissingDocument }[what];
      const input = {
        document_code: this.codes.get(document.id),
        ...(what === 'revert' ? { status: 'DETECTED' } : {}),
      };
      await bench.askAs(call, this.groupId, input, {}, 'operations');
      // A reversal reads the present file of the document.
      if (what === 'revert') document.text = readFileSync(join(this.root, document.path), 'utf8');
      document.state = { delete: 'deleted', revert: 'live', report: 'missing' }[what] as State;
      await bench.work(this.groupId);
    }

    private files(): Map<string, string> {
      const found = new Map<string, string>();
      for (const name of [...PATHS, 'keep-1.txt', 'keep-2.txt'])
        if (existsSync(join(this.root, name))) found.set(name, readFileSync(join(this.root, name), 'utf8'));
      return found;
    }

    private async scan(accept: boolean): Promise<void> {
      this.oracle.scan(this.files(), accept);
      const input = { location_code: this.location, accept_deletions: accept };
      await bench.ask(startRun, this.groupId, input);
      await bench.work(this.groupId);
    }

    /** Compares every document with the oracle, under its first code; only needed objects may exist. */
    async compare(): Promise<void> {
      const rows = await bench.database.read({ groupId: this.groupId }, (tx) =>
        tx.query<Record<string, unknown>>(
          `select code, relative_path as path, content_hash as hash,
             case when deleted_at is not null then 'deleted' when status = 'NO_ENCONTRADO' then 'missing'
               when status = 'FRAGMENTADO' then 'live' else status end as state
           from ingestion.document where group_id = $1`,
          [this.groupId],
        ),
      );
      for (const document of this.oracle.documents) {
        const row = rows.find((each) => each['path'] === document.path);
        if (!this.codes.has(document.id)) this.codes.set(document.id, String(row?.['code']));
      }
      const observed = this.oracle.documents.map(({ path: place, text, state, id }) => ({
        code: this.codes.get(id),
        path: place,
        hash: createHash('sha256').update(text).digest('hex'),
        state,
      }));
      const byPath = (a: { path?: unknown }, b: { path?: unknown }): number =>
        String(a.path) < String(b.path) ? -1 : 1;
      expect(rows.toSorted(byPath)).toEqual(observed.toSorted(byPath));
      expect(await bench.objectKeys(this.groupId)).toEqual(await this.named());
    }

    /** The objects that documents name, except deleted ones. */
    private async named(): Promise<string[]> {
      const rows = await bench.database.read({ groupId: this.groupId }, (tx) =>
        tx.query<{ key: string }>(
          `select distinct key from ingestion.document d,
             unnest(array[d.original_object, d.text_object, d.chunks_object, d.vectors_object]) as key
           where d.group_id = $1 and d.deleted_at is null and key is not null`,
          [this.groupId],
        ),
      );
      return rows.map(({ key }) => key).sort();
    }
  }

  it('documents, codes and objects match the model after every history', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const world = new World();
        await world.open();
        await world.compare();
        for (const step of [...history, { do: 'scan', accept: true } as const]) {
          await world.take(step);
          if (step.do === 'scan') await world.compare();
        }
      }),
      { numRuns: RUNS, ...(RUNS_SETTING === undefined ? { seed: 1 } : {}) },
    );
  }, 300_000);
});
