import type { ServiceName } from '@acervo/contracts';
import type { Database, Transaction } from '@acervo/platform-database';
import { INCOMING_CHANNEL } from './embedded-relay';

/** Number of keys and events that a replay returned. */
export interface Replayed {
  readonly keys: number;
  readonly events: number;
}

/** The columns that `incoming` and `dead_letter` share, without those that are added when an event is given up. */
const envelopeOf = async (tx: Transaction, service: ServiceName): Promise<string> => {
  const [row] = await tx.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = '${service}.dead_letter'::regclass and attnum > 0 and not attisdropped
       and attname <> all ('{id,attempts,reason,died_at}')`,
  );
  return row?.columns ?? '';
};

/**
 * Returns the dead letters of a key to `incoming`, oldest first, and releases the key. Later events of the key are
 * rewritten behind them, which keeps the order.
 * @returns how many were dead-lettered
 */
export const replayKey = async (
  tx: Transaction,
  service: ServiceName,
  { groupId, key }: { readonly groupId: string; readonly key: string },
): Promise<number> => {
  const columns = await envelopeOf(tx, service);
  const [row] = await tx.query<{ dead: number }>(
    `with dead as (delete from ${service}.dead_letter where group_id = $1 and event_key = $2 returning *),
          waiting as (delete from ${service}.incoming where group_id = $1 and event_key = $2 returning *),
          ordered as (select 0 as turn, id, ${columns} from dead union all select 1, id, ${columns} from waiting),
          given as (
            insert into ${service}.incoming (${columns}) select ${columns} from ordered order by turn, id returning 1),
          freed as (delete from ${service}.parked_key where group_id = $1 and event_key = $2)
     select (select count(*)::int from dead) as dead, pg_notify('${INCOMING_CHANNEL}', '${service}') from (select count(*) from given) done`,
    [groupId, key],
  );
  return row?.dead ?? 0;
};

/** Returns all dead letters of a service, of every group, key by key. */
export const replayDead = async (database: Database, service: ServiceName): Promise<Replayed> => {
  const keys = await database.ungrouped((tx) =>
    tx.query<{ groupId: string; key: string }>(
      `select group_id as "groupId", event_key as key from ${service}.dead_letter group by 1, 2 order by min(id)`,
    ),
  );
  let events = 0;
  for (const each of keys) events += await database.ungrouped((tx) => replayKey(tx, service, each));
  return { keys: keys.length, events };
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** The message for the operator. */
export const replayedMessage = (service: ServiceName, { keys, events }: Replayed): string =>
  `${service}: ${counted(events, 'event')} of ${counted(keys, 'key')} that were dead-lettered ${events === 1 ? 'is' : 'are'} handled again.`;
