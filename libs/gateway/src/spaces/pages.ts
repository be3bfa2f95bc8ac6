import { InvalidInput } from '@acervo/contracts';

/** Most items of one request. */
const STEP = 200;
/** Most items before a page: a list is read from its beginning. */
const MOST_BEFORE = 10_000;

/** A part of a list, and where the next one begins. */
export interface Part<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly nextCursor: string | null;
}

export interface NumberedPage<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
}

type PageRequest = Pick<NumberedPage<never>, 'page' | 'limit'>;
type Reader<T> = (limit: number, cursor: string | undefined) => Promise<Part<T>>;

/** A page by its number, of a list that has cursors. @throws InvalidInput for one beyond 10,000 items */
export const numberedPage = async <T>({ page, limit }: PageRequest, read: Reader<T>): Promise<NumberedPage<T>> => {
  let before = (page - 1) * limit;
  if (before > MOST_BEFORE) throw new InvalidInput({ missing: [], invalid: ['page'], unknown: 0 });
  let cursor: string | undefined;
  while (before > 0) {
    const { total, nextCursor } = await read(Math.min(before, STEP), cursor);
    if (nextCursor === null) return { items: [], total, page, limit };
    cursor = nextCursor;
    before -= STEP;
  }
  const { items, total } = await read(limit, cursor);
  return { items, total, page, limit };
};
