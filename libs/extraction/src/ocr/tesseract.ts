import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { ReadingFailed, ReadingTookTooLong, ReadingTookTooMuch } from '../errors';
import { type PictureOfText, Recogniser } from '../reader';
import { imageHeaderOf } from '../readers/images/image-header';
import { watchMemory } from '../sandbox/memory';
import { programAt, walled } from '../sandbox/walls';

/** Requested languages; only installed ones are used. */
const LANGUAGES = ['spa', 'eng'];
const MOST_CHARACTERS = 2_000_000;

export interface TesseractOptions {
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  /** Folders to search for the program, as in PATH; by default those of the system. */
  readonly path?: string;
}

/** One thread, so that concurrent recognitions do not slow each other down. */
const ENVIRONMENT = { OMP_THREAD_LIMIT: '1', LC_ALL: 'C.UTF-8' };

/** Ends the program and its children: they form a process group. */
const end = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
};

/** Recognises text by the `tesseract` program of the system, one process for each picture, under separate limits. */
export class TesseractRecogniser extends Recogniser {
  private constructor(
    private readonly program: string,
    private readonly languages: string,
    private readonly options: TesseractOptions,
  ) {
    super();
  }

  /** The recogniser of this system; null where the program or its languages are not installed. */
  static find(options: TesseractOptions): TesseractRecogniser | null {
    const program = programAt('tesseract', options.path);
    if (program === undefined) return null;
    const { status, stdout } = spawnSync(program, ['--list-langs'], { encoding: 'utf8', timeout: 10_000, env: {} });
    if (status !== 0) return null;
    const installed = LANGUAGES.filter((language) => stdout.split(/\s+/).includes(language));
    return installed.length === 0 ? null : new TesseractRecogniser(program, installed.join('+'), options);
  }

  /** @throws UnsupportedFile, DamagedFile for bytes that are no picture: the program would take them as names of files */
  async recognise({ bytes, dotsPerInch }: PictureOfText): Promise<string> {
    imageHeaderOf(bytes);
    const resolution = dotsPerInch === null ? [] : ['--dpi', String(Math.round(dotsPerInch))];
    const command = walled([this.program, 'stdin', 'stdout', '-l', this.languages, ...resolution]);
    const child = spawn(command.program, command.args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: ENVIRONMENT,
      detached: true,
    });
    const limits = this.limit(child);
    // A program that ends before it has read the picture closes the pipe; only its exit counts.
    child.stdin.on('error', () => undefined).end(bytes);
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    try {
      const [text, code] = await Promise.all([this.textOf(child), ended]);
      if (limits.reached !== undefined) throw limits.reached;
      if (text === undefined || code !== 0) throw new ReadingFailed(null);
      return text;
    } finally {
      limits.lift();
    }
  }

  /** The output of the program; undefined if it exceeds the limit of a picture. */
  private async textOf(child: ChildProcess): Promise<string | undefined> {
    let text = '';
    for await (const part of child.stdout?.setEncoding('utf8') ?? []) {
      text += String(part);
      if (text.length <= MOST_CHARACTERS) continue;
      end(child);
      return undefined;
    }
    return text;
  }

  private limit(child: ChildProcess): { reached: Error | undefined; lift(): void } {
    const { timeoutMs, memoryBytes } = this.options;
    const exceed = (error: Error): void => {
      limits.reached ??= error;
      end(child);
    };
    const timer = setTimeout(() => exceed(new ReadingTookTooLong(Math.round(timeoutMs / 1_000))), timeoutMs);
    const tooMuch = (): void => exceed(new ReadingTookTooMuch(Math.round(memoryBytes / 1_048_576)));
    const unwatch = watchMemory(child.pid ?? 0, memoryBytes, tooMuch);
    const limits = {
      reached: undefined as Error | undefined,
      lift: (): void => {
        clearTimeout(timer);
        unwatch();
      },
    };
    return limits;
  }
}
