import { shapeOf } from './canonical-address';

/** A page that is known and not fetched yet. */
export interface KnownPage {
  readonly url: string;
  readonly depth: number;
  /** From 0 to 1: what the words of its link and the page with the link promise. */
  readonly promise: number;
}

/** What is kept of a frontier between two leases. */
export interface FrontierState {
  readonly waiting: readonly KnownPage[];
  readonly seen: readonly string[];
  readonly barren: Readonly<Record<string, number>>;
}

const MOST_DEPTH = 5;
const MOST_WAITING = 5_000;
/** Pages of one shape that follow each other without anything of the topic, as those of a calendar do. */
const MOST_BARREN = 25;

/** The pages of a site that are to be fetched, those that promise most first. */
export class Frontier {
  private readonly waiting: KnownPage[];
  private readonly seen: Set<string>;
  private readonly barren: Map<string, number>;

  constructor(state: FrontierState = { waiting: [], seen: [], barren: {} }) {
    this.waiting = [...state.waiting];
    this.seen = new Set(state.seen);
    this.barren = new Map(Object.entries(state.barren));
  }

  get state(): FrontierState {
    return { waiting: this.waiting, seen: [...this.seen], barren: Object.fromEntries(this.barren) };
  }

  add(page: KnownPage): void {
    if (page.depth > MOST_DEPTH || this.waiting.length >= MOST_WAITING || this.seen.has(page.url)) return;
    this.seen.add(page.url);
    this.waiting.push(page);
  }

  /** A page that was taken and could not be fetched yet. */
  putBack(page: KnownPage): void {
    this.waiting.push(page);
  }

  /** Whether an address, which another one led to, is known for the first time. */
  isNew(url: string): boolean {
    if (this.seen.has(url)) return false;
    this.seen.add(url);
    return true;
  }

  next(): KnownPage | undefined {
    for (;;) {
      const best = this.takeBest();
      if (best === undefined || (this.barren.get(shapeOf(best.url)) ?? 0) < MOST_BARREN) return best;
    }
  }

  /** @param isFruitful whether the page had something of the topic */
  fetched(url: string, isFruitful: boolean): void {
    const shape = shapeOf(url);
    this.barren.set(shape, isFruitful ? 0 : (this.barren.get(shape) ?? 0) + 1);
  }

  private takeBest(): KnownPage | undefined {
    let best = 0;
    for (let index = 1; index < this.waiting.length; index += 1)
      if (comesFirst(this.waiting[index], this.waiting[best])) best = index;
    return this.waiting.splice(best, 1)[0];
  }
}

const comesFirst = (a: KnownPage | undefined, b: KnownPage | undefined): boolean =>
  a !== undefined && b !== undefined && (a.promise > b.promise || (a.promise === b.promise && a.depth < b.depth));
