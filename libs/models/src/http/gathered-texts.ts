import { EmbedderUnavailable } from '../embedder.errors';

/** Texts of one caller that wait for their vectors. */
interface Waiting {
  readonly texts: readonly string[];
  readonly answer: (vectors: Float32Array[]) => void;
  readonly fail: (error: unknown) => void;
}

/** How long texts that fill no request wait for others: a request of a few takes as long as one of one. */
const LONGEST_WAIT_MS = 25;

/**
 * Embeds the texts of callers together that come within 25 ms, so that small documents share a request. Texts that fill
 * a request go at once.
 */
export class GatheredTexts {
  private waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** @param most texts of a request */
  constructor(
    private readonly embed: (texts: readonly string[]) => Promise<Float32Array[]>,
    private readonly most: number,
  ) {}

  /** The vectors of the texts, in their order. @throws what `embed` throws for these texts */
  vectors(texts: readonly string[]): Promise<Float32Array[]> {
    return new Promise((answer, fail) => {
      this.waiting.push({ texts, answer, fail });
      const count = this.waiting.reduce((sum, each) => sum + each.texts.length, 0);
      if (count >= this.most) this.send();
      else this.timer ??= setTimeout(() => this.send(), LONGEST_WAIT_MS);
    });
  }

  private send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    void this.embedTogether(this.waiting.splice(0));
  }

  /** What is refused of several callers is embedded for each alone: no text fails for another. */
  private async embedTogether(all: readonly Waiting[]): Promise<void> {
    try {
      const vectors = await this.embed(all.flatMap(({ texts }) => texts));
      let from = 0;
      for (const { texts, answer } of all) answer(vectors.slice(from, (from += texts.length)));
    } catch (error) {
      if (all.length > 1 && !(error instanceof EmbedderUnavailable))
        for (const each of all) await this.embedTogether([each]);
      else for (const { fail } of all) fail(error);
    }
  }
}
