import { spawn, spawnSync } from 'node:child_process';
import { ReadingFailed, ReadingTookTooLong, ReadingTookTooMuch } from '../errors';
import { type PictureOfText, Recogniser } from '../reader';
import { watchMemory } from '../sandbox/memory';

/** Languages that are asked for, of those that are installed. */
const LANGUAGES = ['spa', 'eng'];
const MOST_CHARACTERS = 2_000_000;

export interface TesseractOptions {
  readonly timeoutMs: number;
  readonly memoryBytes: number;
}

/** Recognises text by the `tesseract` program of the system, one process a picture, under limits of its own. */
export class TesseractRecogniser extends Recogniser {
  private constructor(
    private readonly languages: string,
    private readonly options: TesseractOptions,
  ) {
    super();
  }

  /** The recogniser of this system; null where the program or its languages are not installed. */
  static find(options: TesseractOptions): TesseractRecogniser | null {
    const { status, stdout } = spawnSync('tesseract', ['--list-langs'], { encoding: 'utf8', timeout: 10_000 });
    if (status !== 0) return null;
    const installed = LANGUAGES.filter((language) => stdout.split(/\s+/).includes(language));
    return installed.length === 0 ? null : new TesseractRecogniser(installed.join('+'), options);
  }

  recognise({ bytes, dotsPerInch }: PictureOfText): Promise<string> {
    const { timeoutMs, memoryBytes } = this.options;
    const resolution = dotsPerInch === null ? [] : ['--dpi', String(dotsPerInch)];
    const child = spawn('tesseract', ['stdin', 'stdout', '-l', this.languages, ...resolution], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', OMP_THREAD_LIMIT: '1', LC_ALL: 'C.UTF-8' },
    });
    return new Promise((resolve, reject) => {
      let text = '';
      const give = (error: Error): void => {
        child.kill('SIGKILL');
        reject(error);
      };
      const timer = setTimeout(() => give(new ReadingTookTooLong(Math.round(timeoutMs / 1_000))), timeoutMs);
      const megabytes = Math.round(memoryBytes / 1_048_576);
      const unwatch = watchMemory(child.pid ?? 0, memoryBytes, () => give(new ReadingTookTooMuch(megabytes)));
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.length > MOST_CHARACTERS) give(new ReadingFailed(null));
      });
      // A program that ends before it has read the picture closes its end; how it ended is what counts.
      child.stdin.on('error', () => undefined).end(bytes);
      child.on('error', give);
      child.on('close', (code) => {
        clearTimeout(timer);
        unwatch();
        if (code === 0) resolve(text);
        else reject(new ReadingFailed(null));
      });
    });
  }
}
