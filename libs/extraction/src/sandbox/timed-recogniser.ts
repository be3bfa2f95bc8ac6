import { ReadingTookTooLong } from '../errors';
import { type PictureOfText, Recogniser } from '../reader';

/** A recogniser for one file, with a total time limit. */
export class TimedRecogniser extends Recogniser {
  private spent = 0;
  private refused = false;

  constructor(
    private readonly recogniser: Recogniser,
    private readonly mostMs: number,
  ) {
    super();
  }

  /** Whether pictures were left when the time was used up. */
  get wasExhausted(): boolean {
    return this.refused;
  }

  /** @throws ReadingTookTooLong when the time of the file is used up. */
  async recognise(picture: PictureOfText): Promise<string> {
    this.refused ||= this.spent > this.mostMs;
    if (this.refused) throw new ReadingTookTooLong(Math.round(this.mostMs / 1_000));
    const start = performance.now();
    try {
      return await this.recogniser.recognise(picture);
    } finally {
      this.spent += performance.now() - start;
    }
  }
}
