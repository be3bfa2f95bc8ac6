import { eventually, until } from '@acervo/platform-testing';
import {
  ExtractionRefusal,
  FileTooLarge,
  ReadingFailed,
  ReadingTookTooLong,
  ReadingTookTooMuch,
  UnsupportedFile,
} from '../src/errors';
import type { RawPage } from '../src/reader';
import { ExtractionPool } from '../src/sandbox/extraction-pool';
import type { ExtractionLimits } from '../src/sandbox/limits';
import { ReadingInterrupted } from '../src/sandbox/reading-process';
import { noSavedPages, type SavedPages } from '../src/text-source';
import { pdfFile, textPage } from './support/pdf-file';

const PAGES = 120;
const note = { name: 'nota.txt', bytes: Buffer.from('La reunión será mañana.') };
const book = {
  name: 'libro.pdf',
  bytes: pdfFile(
    Array.from({ length: PAGES }, (_, index) => textPage(`Capítulo ${index + 1}`, `Dice ${index + 1} cosas.`)),
  ),
};
/** A file that keeps a reader busy for some seconds. */
const long = { name: 'larga.csv', bytes: Buffer.from('uno;dos;tres\n'.repeat(1_500_000)) };

/** Pages as they are kept by who asks, and what happens after so many of them. */
const keeping = (saved: readonly RawPage[], after: number, happens: () => void): SavedPages => {
  let happened = false;
  return {
    load: () => Promise.resolve(saved),
    save: (pages) => {
      if (!happened && pages.length >= after) {
        happened = true;
        happens();
      }
      return Promise.resolve();
    },
  };
};

/** The text of the note; undefined where a stall of the machine looked like silence of the file. */
const textUnlessLate = async (pool: ExtractionPool): Promise<string | undefined> => {
  try {
    return (await pool.extract(note)).document.text;
  } catch (error) {
    if (error instanceof ReadingTookTooLong) return undefined;
    throw error;
  }
};

describe('a pool of processes that read files', () => {
  let pool: ExtractionPool;
  const open = (limits: Partial<ExtractionLimits> = {}): ExtractionPool => (pool = new ExtractionPool({ limits }));
  const signal = (name: NodeJS.Signals): void => pool.pids.forEach((pid) => process.kill(pid, name));
  const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  afterEach(() => pool.close());

  it('a pool reads more files than it has processes', async () => {
    open({ processes: 2 });
    const read = await Promise.all(Array.from({ length: 9 }, () => pool.extract(note)));
    expect(read.map(({ document }) => document.text)).toEqual(
      Array.from({ length: 9 }, () => 'La reunión será mañana.'),
    );
    expect(pool.pids).toHaveLength(2);
  });

  it('a book gives the same text after its process is killed', async () => {
    open({ processes: 1 });
    const whole = await pool.extract(book);
    const before = pool.pids;
    const saved = keeping([], 40, () => signal('SIGKILL'));
    expect(await pool.extract(book, saved)).toEqual(whole);
    expect(whole.document.pages).toHaveLength(PAGES);
    expect(pool.pids).not.toEqual(before);
  });

  it('only pages without a saved result are read', async () => {
    open({ processes: 1 });
    let saved: readonly RawPage[] = [];
    const reading = pool.extract(book, {
      load: () => Promise.resolve([]),
      save: (pages) => {
        saved = [...pages];
        return pages.length >= 100 ? Promise.reject(new Error('The disk is full.')) : Promise.resolve();
      },
    });
    await expect(reading).rejects.toThrow('The disk is full.');
    const marked = saved.map((page) => ({
      ...page,
      lines: page.lines.map((line) => ({ ...line, text: `${line.text} (guardado)` })),
    }));
    const { document } = await pool.extract(
      book,
      keeping(marked, Infinity, () => undefined),
    );
    expect(document.text.match(/Capítulo \d+ \(guardado\)/g)).toHaveLength(saved.length);
    expect(document.pages).toHaveLength(PAGES);
  });

  it('a reading completes only after its last page is saved', async () => {
    open({ processes: 1 });
    const reading = pool.extract(book, {
      load: () => Promise.resolve([]),
      save: async (pages) => {
        if (pages.length < PAGES) return;
        await later(300);
        throw new Error('The disk is full.');
      },
    });
    await expect(reading).rejects.toThrow('The disk is full.');
  });

  it('a file without progress is given up; the next is read', async () => {
    open({ processes: 1, silenceMs: 1_500 });
    const read = (): Promise<string | undefined> => eventually('the file is read', () => textUnlessLate(pool));
    await read();
    const stopped = pool.pids;
    signal('SIGSTOP');
    await expect(pool.extract(note)).rejects.toThrow(ReadingTookTooLong);
    expect(await read()).toContain('reunión');
    expect(pool.pids).not.toEqual(stopped);
  });

  it('the slow start of a process is no silence of its file', async () => {
    open({ processes: 1, silenceMs: 1_500 });
    pool.warm();
    const starting = pool.pids;
    signal('SIGSTOP');
    const reading = pool.extract(note).catch((error: unknown) => error);
    await later(2_000);
    expect(pool.pids).toEqual(starting);
    await pool.close();
    expect(await reading).toBeInstanceOf(ReadingInterrupted);
  });

  it('a crashing file is refused while other files are read', async () => {
    open({ processes: 2 });
    const reading = pool.extract(long);
    await until('the file has a process', () => pool.pids.length > 0);
    const victim = pool.pids;
    const neighbours = [pool.extract(book), pool.extract(note)];
    for (const pid of victim) process.kill(pid, 'SIGSEGV');
    await expect(reading).rejects.toThrow(ReadingFailed);
    expect(await Promise.all(neighbours)).toHaveLength(2);
  });

  it('a file beyond the memory limit is refused', async () => {
    open({ processes: 1, memoryBytes: 120 * 1024 * 1024 });
    await expect(pool.extract(long)).rejects.toThrow(ReadingTookTooMuch);
    expect((await pool.extract(note)).document.text).toContain('reunión');
  });

  it('a process is replaced after its number of files', async () => {
    open({ processes: 1, filesPerProcess: 2 });
    const seen = new Set<number>();
    for (let file = 0; file < 5; file += 1) {
      await pool.extract(note);
      for (const pid of pool.pids) seen.add(pid);
    }
    expect(seen.size).toBe(3);
    expect(pool.pids).toHaveLength(1);
  });

  it('closing interrupts all readings and leaves no process behind', async () => {
    open({ processes: 1 });
    const readings = [pool.extract(long), pool.extract(note)].map((each) => each.catch((error: unknown) => error));
    await until('the file has a process', () => pool.pids.length > 0);
    const [pid = 0] = pool.pids;
    await pool.close();
    for (const outcome of await Promise.all(readings)) {
      expect(outcome).toBeInstanceOf(ReadingInterrupted);
      expect(outcome).not.toBeInstanceOf(ExtractionRefusal);
    }
    expect(() => process.kill(pid, 0)).toThrow();
    await expect(pool.extract(note)).rejects.toThrow(ReadingInterrupted);
  });

  it('an unsupported or oversized file starts no process', async () => {
    open({ fileBytes: 10 });
    await expect(pool.extract({ name: 'a.exe', bytes: Buffer.alloc(1) })).rejects.toThrow(UnsupportedFile);
    await expect(pool.extract(note, noSavedPages)).rejects.toThrow(FileTooLarge);
    expect(pool.pids).toEqual([]);
  });

  it('a signature covers everything that affects the result', () => {
    const [a, b] = [new ExtractionPool(), new ExtractionPool({ limits: { pages: 3 } })];
    expect(open({ silenceMs: 1 }).signature('a.pdf')).toBe(a.signature('b.pdf'));
    expect(b.signature('a.pdf')).not.toBe(a.signature('a.pdf'));
    expect(a.signature('a.txt')).not.toBe(a.signature('a.pdf'));
  });
});
