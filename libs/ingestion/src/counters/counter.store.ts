import type { Transaction } from '@acervo/platform-database';

/** The first number of each series: public codes do not reveal how many there are. */
const FIRST = { location: 10_000, document: 10_000, run: 1 } as const;
type Series = keyof typeof FIRST;

/** Takes `count` consecutive numbers; answers the first. Gaps are possible, repetitions are not. */
export const takeNumbers = async (tx: Transaction, series: Series, count: number): Promise<number> => {
  const [row] = await tx.query<{ last: number }>(
    `insert into ingestion.counter as c (group_id, name, value) values ($1, $2, $3::bigint + $4 - 1)
     on conflict (group_id, name) do update set value = c.value + $4
     returning value::int as last`,
    [tx.groupId, series, FIRST[series], count],
  );
  if (row === undefined) throw new Error(`The series ${series} gave no number.`);
  return row.last - count + 1;
};
