import { endingOf } from './formats';
import type { AcquiredFile, Extraction } from './reader';
import { type SavedPages, TextSource } from './text-source';

/** Sources by file ending; `otherwise` reads all other files. */
export interface Choice {
  readonly otherwise: TextSource;
  readonly chosen: ReadonlyMap<string, TextSource>;
}

/** One source made of several: each file goes to the source for its ending. */
export class ChosenSource extends TextSource {
  readonly atOnce: number;

  constructor(private readonly choice: Choice) {
    super();
    this.atOnce = choice.otherwise.atOnce;
  }

  whyNot(name: string): string | null {
    return this.sourceFor(name).whyNot(name);
  }

  isQuick(name: string): boolean {
    return this.sourceFor(name).isQuick(name);
  }

  signature(name: string): string {
    return this.sourceFor(name).signature(name);
  }

  extract(file: AcquiredFile, pages?: SavedPages): Promise<Extraction> {
    return this.sourceFor(file.name).extract(file, pages);
  }

  async close(): Promise<void> {
    const { otherwise, chosen } = this.choice;
    await Promise.all([...new Set([otherwise, ...chosen.values()])].map((source) => source.close()));
  }

  private sourceFor(name: string): TextSource {
    const { otherwise, chosen } = this.choice;
    return chosen.get(endingOf(name)) ?? otherwise;
  }
}
