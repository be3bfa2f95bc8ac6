import type { Transaction } from '@acervo/platform-database';
import { ProcessRefused } from './processes.errors';

/** A thing with a place in a list. */
export interface Placed {
  readonly code: string;
  readonly position: number;
}

/**
 * The places of some things of a list after they are put in an order: they take each other's places, so that the things
 * which are not named keep theirs. Only places that change are answered.
 * @param placed the named things, each once
 * @throws ProcessRefused for a code that is named twice
 */
export const exchangedPlaces = (codes: readonly string[], placed: readonly Placed[], field: string): Placed[] => {
  if (new Set(codes).size < codes.length) throw new ProcessRefused('NAMED_TWICE', field);
  const slots = placed.map(({ position }) => position).toSorted((one, other) => one - other);
  const before = new Map(placed.map(({ code, position }) => [code, position]));
  return codes.flatMap((code, at) => {
    const position = slots[at];
    return position === undefined || position === before.get(code) ? [] : [{ code, position }];
  });
};

/** Writes the places of processes or definitions. */
export const writePlaces = async (
  tx: Transaction,
  table: 'process' | 'group_process',
  places: readonly Placed[],
): Promise<void> => {
  await tx.query(
    `update operations.${table} p set position = given.position
     from unnest($2::text[], $3::int[]) as given (code, position) where p.group_id = $1 and p.code = given.code`,
    [tx.groupId, places.map(({ code }) => code), places.map(({ position }) => position)],
  );
};
