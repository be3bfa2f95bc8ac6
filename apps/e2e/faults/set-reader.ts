import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../harness/http-client';

/** A set lasts for as long as a process is dead: more reads cost processors and see nothing else. */
const BETWEEN_MS = 100;

/** The set of a space before a change and after it, as the reader sees it. */
export interface Change {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

interface Counts {
  readonly before: number;
  readonly after: number;
  /** Answers without a set: the service was being started. */
  readonly unavailable: number;
}

const codesIn = ({ body }: Answer): string =>
  (body['items'] as { readonly code: string }[]).map(({ code }) => code).join();

/**
 * Reads a space again and again. Each answer has to be the set before a change or the one after it, with its total, and
 * none that is older than the answer before.
 */
export class SetReader {
  readonly wrong: string[] = [];
  private counted = { before: 0, after: 0, unavailable: 0 };
  private stopped = false;
  private readonly over: Promise<void>;

  constructor(
    private readonly read: () => Promise<Answer>,
    private readonly change: Change,
  ) {
    this.over = this.run();
  }

  /** Waits for the last answer. */
  async stop(): Promise<Counts> {
    this.stopped = true;
    await this.over;
    return this.counted;
  }

  private async run(): Promise<void> {
    for (; !this.stopped; await pause(BETWEEN_MS)) {
      const answer = await this.read().catch(() => undefined);
      if (answer === undefined || answer.status >= 500) this.counted.unavailable += 1;
      else this.judge(answer);
    }
  }

  private judge(answer: Answer): void {
    const { before, after } = this.change;
    const of = (codes: readonly string[]): boolean =>
      codesIn(answer) === codes.join() && answer.body['total'] === codes.length;
    if (answer.status !== 200) this.wrong.push(`${answer.status}: ${answer.text.slice(0, 200)}`);
    else if (of(after)) this.counted.after += 1;
    else if (!of(before)) this.wrong.push(`neither: ${String(answer.body['total'])} documents`);
    else if (this.counted.after > 0) this.wrong.push('the set before, after the one that replaced it');
    else this.counted.before += 1;
  }
}
