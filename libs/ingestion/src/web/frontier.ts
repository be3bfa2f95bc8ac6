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

/** What a page had: something of the topic, a text that no other page had, or neither. */
type Yield = 'topic' | 'text' | 'nothing';

/** What one fetched page changes. */
export interface FrontierChange {
  /** The address that was fetched. */
  readonly url: string;
  readonly had: Yield;
  /** Other addresses of the page. */
  readonly seen: readonly string[];
  /** Pages that it leads to. */
  readonly linked: readonly KnownPage[];
}

const MOST_DEPTH = 5;
const MOST_WAITING = 5_000;
/**
 * How much of one shape is fetched in a row without anything of the topic: 25 pages without a text of their own, as
 * those of a calendar, or 200 with one, as the articles of a large site.
 */
const MOST_BARREN = 25;
const BARREN: Readonly<Record<Exclude<Yield, 'topic'>, number>> = { nothing: 1, text: 1 / 8 };

/** The pages of a site that are to be fetched, those that promise most first. */
export class Frontier {
  private readonly waiting: Map<string, KnownPage>;
  private readonly seen: Set<string>;
  private readonly barren: Map<string, number>;

  constructor(state: FrontierState = { waiting: [], seen: [], barren: {} }) {
    this.waiting = new Map(state.waiting.map((page) => [page.url, page]));
    this.seen = new Set(state.seen);
    this.barren = new Map(Object.entries(state.barren));
  }

  get state(): FrontierState {
    const { waiting, seen, barren } = this;
    return { waiting: [...waiting.values()], seen: [...seen], barren: Object.fromEntries(barren) };
  }

  isNew(url: string): boolean {
    return !this.seen.has(url);
  }

  add(page: KnownPage): void {
    if (page.depth > MOST_DEPTH || this.waiting.size >= MOST_WAITING || this.seen.has(page.url)) return;
    this.seen.add(page.url);
    this.waiting.set(page.url, page);
  }

  /** The page to fetch next, which goes on waiting until its change is applied. */
  next(): KnownPage | undefined {
    let best: KnownPage | undefined;
    for (const page of this.waiting.values())
      if ((best === undefined || comesFirst(page, best)) && !this.isBarren(page.url)) best = page;
    return best;
  }

  apply({ url, had, seen, linked }: FrontierChange): void {
    this.waiting.delete(url);
    const shape = shapeOf(url);
    this.barren.set(shape, had === 'topic' ? 0 : (this.barren.get(shape) ?? 0) + BARREN[had]);
    for (const address of seen) this.seen.add(address);
    for (const page of linked) this.add(page);
  }

  private isBarren(url: string): boolean {
    return (this.barren.get(shapeOf(url)) ?? 0) >= MOST_BARREN;
  }
}

const comesFirst = (a: KnownPage, b: KnownPage): boolean =>
  a.promise > b.promise || (a.promise === b.promise && a.depth < b.depth);
