/** The setting that reports to background connections whether requests are being answered. */
export const TRAFFIC = 'acervo.traffic';
export type TrafficState = 'busy' | 'quiet';

/** A request sends several statements in a row: for this time after one, the next is expected. */
const LASTS_MS = 100;

/** Tracks whether requests used the engine a moment ago. */
export class Traffic {
  private notedAt = -Infinity;

  note(): void {
    this.notedAt = performance.now();
  }

  get now(): TrafficState {
    return performance.now() - this.notedAt < LASTS_MS ? 'busy' : 'quiet';
  }
}
