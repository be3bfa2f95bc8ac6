import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@acervo/platform-testing';
import { ReadingFailed, ReadingTookTooLong, ReadingTookTooMuch, UnsupportedFile } from '../src/errors';
import { TesseractRecogniser, type TesseractOptions } from '../src/ocr/tesseract';
import { type PictureOfText, Recogniser } from '../src/reader';
import { ExtractionPool } from '../src/sandbox/extraction-pool';
import { TimedRecogniser } from '../src/sandbox/timed-recogniser';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const picture: PictureOfText = { bytes: png, kind: 'png', dotsPerInch: 300 };

describe('the recogniser of the system', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-recogniser-'));
  afterAll(() => rmSync(place, { recursive: true }));
  let count = 0;

  /** A program called tesseract that knows languages and does something with a picture. */
  const installed = (
    does: string,
    languages = 'eng\nspa\nosd',
    limits: Partial<TesseractOptions> = {},
  ): TesseractRecogniser | null => {
    const folder = join(place, String((count += 1)));
    mkdirSync(folder);
    const program = join(folder, 'tesseract');
    writeFileSync(program, `#!/bin/sh\nif [ "$1" = --list-langs ]; then echo "${languages}"; exit 0; fi\n${does}\n`);
    chmodSync(program, 0o755);
    return TesseractRecogniser.find({ timeoutMs: 10_000, memoryBytes: 200_000_000, path: folder, ...limits });
  };
  const recognised = (does: string, limits: Partial<TesseractOptions> = {}): Promise<string | undefined> =>
    Promise.resolve(installed(does, 'eng\nspa', limits)?.recognise(picture));

  it('without program or languages there is no recogniser', () => {
    expect(TesseractRecogniser.find({ timeoutMs: 1, memoryBytes: 1, path: place })).toBeNull();
    expect(installed('true', 'deu\nosd')).toBeNull();
    expect(installed('true', 'eng')).toBeInstanceOf(TesseractRecogniser);
  });
  it('the program receives picture, resolution and installed languages', async () => {
    const does = 'head -c 4 | tail -c 3; cat >/dev/null; echo " $@"';
    expect(await recognised(does)).toBe('PNG stdin stdout -l spa+eng --dpi 300\n');
  });
  it('bytes that are no picture never reach the program, which reads lists of files', async () => {
    const started = join(place, 'started');
    const list = { ...picture, bytes: Buffer.from('/etc/hostname\n') };
    await expect(installed(`touch ${started}`)?.recognise(list)).rejects.toThrow(UnsupportedFile);
    expect(existsSync(started)).toBe(false);
  });
  it('the program receives no environment', async () => {
    expect(await recognised('cat >/dev/null; env | cut -d= -f1 | sort')).toBe('LC_ALL\nOMP_THREAD_LIMIT\nPWD\n');
  });
  it('a recognition beyond its time limit is given up', async () => {
    await expect(recognised('sleep 20', { timeoutMs: 300 })).rejects.toThrow(ReadingTookTooLong);
  });
  it('a recognition beyond its memory limit is given up', async () => {
    const grow = 'x=$(head -c 60000000 /dev/zero | tr "\\\\0" a); sleep 20';
    await expect(recognised(grow, { memoryBytes: 30_000_000 })).rejects.toThrow(ReadingTookTooMuch);
  });
  it.each([
    ['fails', 'exit 1'],
    ['dies', 'kill -SEGV $$'],
    ['writes without end', 'yes'],
  ])('a picture is refused when the program %s', async (_what, does) => {
    await expect(recognised(does)).rejects.toThrow(ReadingFailed);
  });
});

const undefinedIfLate = (error: unknown): undefined => {
  if (!(error instanceof ReadingTookTooLong)) throw error;
};

describe('a picture in a file', () => {
  /** Answers with the callback of the test. */
  class FixedRecogniser extends Recogniser {
    constructor(private readonly recognised: () => Promise<string>) {
      super();
    }
    recognise({ kind, bytes }: PictureOfText): Promise<string> {
      expect([kind, Buffer.from(bytes).equals(png)]).toEqual(['png', true]);
      return this.recognised();
    }
  }
  const read = async (recognised: () => Promise<string>, silenceMs = 20_000): Promise<string> => {
    const pool = new ExtractionPool({
      limits: { processes: 1, silenceMs },
      recogniser: new FixedRecogniser(recognised),
    });
    try {
      return (await pool.extract({ name: 'foto.png', bytes: png })).document.text;
    } finally {
      await pool.close();
    }
  };

  it('recognition runs outside the reading process', async () => {
    expect(await read(() => Promise.resolve('Lo que pone'))).toBe('Lo que pone');
  });
  it('a refused picture keeps the reason of the recogniser', async () => {
    await expect(read(() => Promise.reject(new ReadingTookTooLong(7)))).rejects.toThrow(new ReadingTookTooLong(7));
  });
  it('recognition may exceed the silence limit of a file', async () => {
    const slowly = (): Promise<string> => new Promise((resolve) => setTimeout(() => resolve('tarde'), 3_000));
    // A stall of the machine during the rest of the reading looks like silence too.
    const text = await eventually('the picture is read', () => read(slowly, 2_500).catch(undefinedIfLate));
    expect(text).toBe('tarde');
  });
  it('recognition stops when the time of its file is used up', async () => {
    const timed = new TimedRecogniser(
      new FixedRecogniser(() => new Promise((resolve) => setTimeout(() => resolve('uno'), 20))),
      10,
    );
    const page: PictureOfText = { bytes: png, kind: 'png', dotsPerInch: null };
    expect(await timed.recognise(page)).toBe('uno');
    expect(timed.wasExhausted).toBe(false);
    await expect(timed.recognise(page)).rejects.toThrow(ReadingTookTooLong);
    expect(timed.wasExhausted).toBe(true);
  });
});
