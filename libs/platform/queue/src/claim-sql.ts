/**
 * Claims tasks of a stage ($2) of a group ($1) under a token ($3) for a lease of $4 seconds. It takes one task with an
 * expired lease, unless only waiting tasks are wanted ($6). Otherwise it takes up to $5 waiting tasks of at least
 * priority $7.
 * Materialized: joined as a subquery, the selection would run again for each row and take more than the limit.
 */
export const claimSql = (table: string): string =>
  `with left_behind as materialized (
   select subject_id, generation from ${table}
   where group_id = $1 and stage = $2 and status = 'LEASED' and leased_until < now() and not $6::boolean
   order by deaths, priority desc, created_at limit 1 for update skip locked),
 waiting as materialized (
   select subject_id, generation from ${table}
   where group_id = $1 and stage = $2 and status = 'WAITING' and not_before <= now() and priority >= $7
     and not exists (select from left_behind)
   order by priority desc, created_at limit $5 for update skip locked),
 due as (select * from left_behind union all select * from waiting),
 taken as (
   update ${table} t
   set status = 'LEASED', lease = $3, leased_until = now() + $4 * interval '1 second',
     attempts = t.attempts + 1, deaths = t.deaths + (t.status = 'LEASED')::int, updated_at = now()
   from due
   where t.group_id = $1 and t.stage = $2 and t.subject_id = due.subject_id and t.generation = due.generation
   returning t.subject_id, t.generation, t.attempts, t.deaths, t.payload, t.priority, t.trace, t.created_at)
 select subject_id, generation, attempts, deaths, payload, priority, trace from taken order by priority desc, created_at`;
