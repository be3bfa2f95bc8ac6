import {
  DamagedFile,
  ExtractionRefusal,
  FileTooLarge,
  LimitExceeded,
  NoTextFound,
  PasswordProtected,
  ReadingFailed,
  ReadingTookTooLong,
  ReadingTookTooMuch,
  UnsupportedFile,
} from '../src/errors';
import { type RawPage, Recogniser } from '../src/reader';
import { Clock } from '../src/sandbox/clock';
import { failureOf, refusalOf } from '../src/sandbox/failures';
import { FileReading, type Worker } from '../src/sandbox/file-reading';
import { defaultLimits } from '../src/sandbox/limits';
import type { Task } from '../src/sandbox/protocol';
import { type Ending, ProcessEnded, ReadingInterrupted } from '../src/sandbox/reading-process';
import { noSavedPages } from '../src/text-source';

const LAST = 5;
const facts = { title: null, author: null, date: null, language: null };
const line = { text: 'hola', size: 0, bold: false, top: 0, bottom: 1, left: 0, right: 1, startsParagraph: true };

class Mute extends Recogniser {
  recognise(): Promise<string> {
    return Promise.resolve('');
  }
}

/** A file of five pages whose reader ends by a script; records its tasks. */
class Scripted {
  readonly tasks: Task[] = [];

  constructor(
    private readonly endsAt: (page: number, task: Extract<Task, { kind: 'read' }>) => Ending | null,
    private readonly opens = true,
    private readonly lines: RawPage['lines'] = [line],
  ) {}

  private readonly worker: Worker = {
    ask: async (task, attendant) => {
      this.tasks.push(task);
      if (task.kind === 'assemble') {
        const text = task.pages.map(({ number }) => number).join(' ');
        return { kind: 'assembled', document: { text, pages: [], headings: [], tables: [], ...facts } };
      }
      if (this.opens) attendant.opened();
      for (let number = task.from; number <= LAST; number += 1) {
        const ending = this.endsAt(number, task);
        if (ending !== null) throw new ProcessEnded(ending);
        await attendant.page({ number, lines: this.lines });
      }
      return { kind: 'pages-read', reader: 'pdf', facts, attachments: [] };
    },
  };

  async read(recogniser: Recogniser | null = null): Promise<string> {
    const pool = { use: <T>(work: (worker: Worker) => Promise<T>) => work(this.worker) };
    const means = { pool, limits: defaultLimits, recogniser, log: () => undefined };
    const file = { name: 'a.pdf', bytes: Buffer.alloc(0) };
    return (await new FileReading(means, file, noSavedPages).read()).document.text;
  }

  get beginnings(): number[] {
    return this.tasks.flatMap((task) => (task.kind === 'read' ? [task.from] : []));
  }
}

describe('a file whose process ends', () => {
  it('reading resumes at the interrupted page and keeps every page once', async () => {
    const ended = new Set<number>();
    const file = new Scripted((page) => (page % 2 === 0 && !ended.has(page) ? (ended.add(page), 'crash') : null));
    expect(await file.read()).toBe('1 2 3 4 5');
    expect(file.beginnings).toEqual([1, 2, 4]);
  });
  it.each<Ending>(['crash', 'memory', 'silence', 'killed'])(
    'a file whose process ends twice at one page by %s is refused',
    async (ending) => {
      const file = new Scripted((page) => (page === 3 ? ending : null));
      await expect(file.read()).rejects.toThrow(new ReadingFailed(3));
      expect(file.beginnings).toEqual([1, 3]);
    },
  );
  it('a page whose rendering fails is read without rendering', async () => {
    const file = new Scripted((page, { unseen }) => (page === 3 && !unseen.includes(3) ? 'memory' : null));
    expect(await file.read(new Mute())).toBe('1 2 3 4 5');
    expect(file.beginnings).toEqual([1, 3, 3]);
  });
  it('a page that cannot be rendered and has no text is refused', async () => {
    const file = new Scripted((page, { unseen }) => (page === 3 && !unseen.includes(3) ? 'memory' : null), true, []);
    await expect(file.read(new Mute())).rejects.toThrow(new ReadingFailed(3));
  });
  it.each<[Ending, ExtractionRefusal]>([
    ['crash', new ReadingFailed(null)],
    ['memory', new ReadingTookTooMuch(512)],
    ['silence', new ReadingTookTooLong(60)],
    ['time', new ReadingTookTooLong(900)],
  ])('a process end before the first page, by %s, is refused', async (ending, refusal) => {
    const file = new Scripted(() => ending, false);
    await expect(file.read()).rejects.toThrow(refusal);
    expect(file.tasks).toHaveLength(1);
  });
  it('a process killed from outside is retried once, then interrupted', async () => {
    const file = new Scripted(() => 'killed', false);
    await expect(file.read()).rejects.toThrow(ReadingInterrupted);
    expect(file.tasks).toHaveLength(2);
  });
  it('a file that always fails uses a limited number of processes', async () => {
    let calls = 0;
    const file = new Scripted(() => ((calls += 1) % 2 === 0 ? 'crash' : null));
    const many = new Scripted((page, { from }) => (page > from ? 'crash' : null));
    expect(await file.read()).toBe('1 2 3 4 5');
    expect(await many.read()).toBe('1 2 3 4 5');
    expect(many.beginnings).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('a failure that crosses to another process', () => {
  const refusals = [
    new UnsupportedFile('No.'),
    new NoTextFound(),
    new PasswordProtected(),
    new DamagedFile(),
    new FileTooLarge(1_000_000),
    new LimitExceeded('pages', 3),
    new ReadingTookTooLong(3),
    new ReadingTookTooMuch(3),
    new ReadingFailed(3),
  ];
  it.each(refusals.map((refusal) => [refusal.constructor.name, refusal] as const))(
    'a refusal keeps its class: %s',
    (_name, refusal) => {
      const arrived = refusalOf(structuredClone(failureOf(refusal)));
      expect(arrived?.constructor).toBe(refusal.constructor);
      expect([arrived?.message, arrived?.outcome]).toEqual([refusal.message, refusal.outcome]);
    },
  );
  it('the message of any other error is dropped', () => {
    const failure = failureOf(new TypeError('the salary of Ana'));
    expect(JSON.stringify(failure)).not.toContain('Ana');
    expect([failure.name, refusalOf(failure)]).toEqual(['TypeError', undefined]);
    expect(failure.at).toMatch(/sandbox-policy\.spec\.ts:\d+/);
  });
});

describe('the clock of a file', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: [] }));
  afterEach(() => jest.useRealTimers());
  const started = (silence: number, whole: number): { clock: Clock; signals: string[] } => {
    const clock = new Clock(silence, whole);
    const signals: string[] = [];
    clock.whenOverdue((which) => signals.push(which));
    clock.progress();
    return { clock, signals };
  };

  it('the clock reports silence until there is progress', () => {
    const { clock, signals } = started(100, 10_000);
    jest.advanceTimersByTime(99);
    clock.progress();
    jest.advanceTimersByTime(99);
    expect(signals).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(signals).toEqual(['silence']);
  });
  it('the clock reports the total time despite progress', () => {
    const { clock, signals } = started(100, 250);
    for (let step = 0; step < 3; step += 1) {
      jest.advanceTimersByTime(80);
      clock.progress();
    }
    jest.advanceTimersByTime(10);
    expect(signals).toEqual(['time']);
  });
  it('a paused clock does not count', () => {
    const { clock, signals } = started(100, 150);
    jest.advanceTimersByTime(90);
    clock.pause();
    jest.advanceTimersByTime(10_000);
    clock.progress();
    jest.advanceTimersByTime(59);
    expect(signals).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(signals).toEqual(['time']);
  });
});
