/** The setting by which background connections hear whether requests are being answered. */
export const TRAFFIC = 'acervo.traffic';
export type TrafficState = 'busy' | 'quiet';

/** A request asks several times in a row; so long after a question the next one is expected. */
const LASTS_MS = 100;

/** Whether requests were asking a moment ago. */
export class Traffic {
  private notedAt = -Infinity;

  note(): void {
    this.notedAt = performance.now();
  }

  get now(): TrafficState {
    return performance.now() - this.notedAt < LASTS_MS ? 'busy' : 'quiet';
  }
}
