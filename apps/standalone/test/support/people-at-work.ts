import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { deleteDocument, reportMissingDocument, revertDocument } from '@acervo/contracts';
import { type BothServices, UPKEEP } from './both-services';
import { Oracle } from './oracle';
import { Library } from './stores';

const PATHS = ['a.txt', 'b.txt', 'sub/a.txt', 'sub/c.txt'] as const;
/** Each text contains one of these words, and texts differ in nothing else. */
export const WORDS = ['zarzamora', 'membrillo', 'albaricoque'] as const;
const UNTOUCHED = { 'queda-1.txt': 'granada', 'queda-2.txt': 'níspero' } as const;

/** A text of two passages; the second is always the same. */
const textOf = (word: string): string =>
  `# ${word}\n\n` +
  [`Aquí crece ${word}.`, ...Array.from({ length: 90 }, (_, at) => `El surco ${at} se riega.`)].join(' ');

export type Step =
  | { readonly do: 'write'; readonly path: string; readonly word: string }
  | { readonly do: 'move'; readonly path: string; readonly to: string }
  | { readonly do: 'remove' | 'delete' | 'revert' | 'report'; readonly path: string }
  | { readonly do: 'work'; readonly stage: number; readonly times: number }
  | { readonly do: 'scan' | 'deliver' | 'compare' | 'restart' };

const path = fc.constantFrom(...PATHS);
const times = fc.integer({ min: 1, max: 3 });
export const histories = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('write'), path, word: fc.constantFrom(...WORDS) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('move'), path, to: path }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('remove', 'delete', 'revert', 'report'), path }) },
    { weight: 7, arbitrary: fc.record({ do: fc.constant('work'), stage: fc.nat(), times }) },
    { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('scan', 'scan', 'deliver', 'deliver', 'restart') }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('compare') }) },
  ) as fc.Arbitrary<Step>,
  { minLength: 10, maxLength: 24 },
);

/** A folder that users change while both services work on it, step by step. */
export class PeopleAtWork {
  readonly library: Library;
  readonly oracle = new Oracle();
  /** Results of the comparisons made during the history. */
  readonly found: unknown[] = [];
  /** The kinds of steps that had an effect. */
  readonly effects = new Set<Step['do']>();
  /** Document codes by the id in the oracle. */
  private readonly codes = new Map<number, string>();

  constructor(
    private readonly both: BothServices,
    name: string,
  ) {
    const untouched = Object.entries(UNTOUCHED).map(([file, word]) => [file, textOf(word)]);
    this.library = new Library(both, name, Object.fromEntries(untouched) as Record<string, string>);
  }

  async open(): Promise<void> {
    await this.library.register();
    await this.scan();
  }

  async take(step: Step): Promise<void> {
    if ((await this.perform(step)) !== false) this.effects.add(step.do);
  }

  /** Scans once more and works everything that is left, without delays. */
  async end(): Promise<void> {
    await this.scan();
    await this.both.settle(this.library.groupId);
    const stages = this.both.stageNames.filter((name) => !UPKEEP.includes(name));
    for (const service of ['ingestion', 'retrieval'] as const)
      await this.both.hastenAll(service, this.library.groupId, stages);
    await this.both.settle(this.library.groupId);
  }

  /** The expected documents, with their codes. */
  get expected(): { code: string | undefined; path: string; state: string; text: string }[] {
    return this.oracle.documents
      .map(({ id, path: place, state, text }) => ({ code: this.codes.get(id), path: place, state, text }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Whether a change is possible in this state of the folder; other steps always are. */
  private async perform(step: Step): Promise<boolean | void> {
    const { both, library } = this;
    if (step.do === 'scan') return this.scan();
    if (step.do === 'deliver') return void (await both.deliver());
    if (step.do === 'restart') return both.restart();
    if (step.do === 'compare') return void this.found.push(await library.compare(() => both.settle(library.groupId)));
    if (step.do === 'work') return this.work(step.stage, step.times);
    if (step.do === 'write') return this.write(step.path, step.word);
    if (step.do === 'move') return this.move(step.path, step.to);
    if (step.do === 'remove') return this.remove(step.path);
    return this.change(step.do as 'delete' | 'revert' | 'report', (step as { path: string }).path);
  }

  private async scan(): Promise<void> {
    this.oracle.scan(this.files());
    await this.library.scan();
    await this.readAll();
  }

  /** Works until the content hash of each document is known: before that, a move is not detectable. */
  private async readAll(): Promise<void> {
    while ((await this.both.workOnce(this.library.groupId, 'acquire')) > 0);
    const rows = await this.library.sql(
      'ingestion',
      `select code, relative_path as path from ingestion.document where group_id = $1`,
    );
    for (const { id, path: place } of this.oracle.documents)
      if (!this.codes.has(id)) this.codes.set(id, String(rows.find((row) => row['path'] === place)?.['code']));
  }

  private async work(stage: number, often: number): Promise<void> {
    const names = this.both.stageNames.filter((name) => !UPKEEP.includes(name));
    for (let turn = 0; turn < often; turn += 1)
      await this.both.workOnce(this.library.groupId, names[(stage + turn) % names.length] ?? '');
  }

  private async write(place: string, word: string): Promise<void> {
    const file = join(this.library.root, place);
    mkdirSync(dirname(file), { recursive: true });
    // Gives each write its own modification time; some file systems have a coarse clock.
    await pause(5);
    writeFileSync(file, textOf(word));
  }

  private move(from: string, to: string): boolean {
    const [file, target] = [join(this.library.root, from), join(this.library.root, to)];
    if (!existsSync(file) || existsSync(target)) return false;
    mkdirSync(dirname(target), { recursive: true });
    renameSync(file, target);
    return true;
  }

  private remove(place: string): boolean {
    const file = join(this.library.root, place);
    if (!existsSync(file)) return false;
    rmSync(file);
    return true;
  }

  private async change(what: 'delete' | 'revert' | 'report', place: string): Promise<boolean> {
    const document = this.oracle.at(place);
    const allowed = what === 'revert' ? document?.state !== 'missing' : document?.state === 'live';
    const file = join(this.library.root, place);
    // A revert needs the file of the document.
    if (document === undefined || !allowed || (what === 'revert' && !existsSync(file))) return false;
    const call = { delete: deleteDocument, revert: revertDocument, report: reportMissingDocument }[what];
    const input = { document_code: this.codes.get(document.id), ...(what === 'revert' ? { status: 'DETECTED' } : {}) };
    await this.both.askAs(call, this.library.groupId, input);
    if (what === 'revert') document.text = readFileSync(file, 'utf8');
    document.state = ({ delete: 'deleted', revert: 'live', report: 'missing' } as const)[what];
    await this.readAll();
    return true;
  }

  private files(): Map<string, string> {
    const there = [...PATHS, ...Object.keys(UNTOUCHED)].filter((name) => existsSync(join(this.library.root, name)));
    return new Map(there.map((name) => [name, readFileSync(join(this.library.root, name), 'utf8')]));
  }
}
