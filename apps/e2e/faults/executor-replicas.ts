import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseKey } from '@acervo/auth';
import { type Answer, HttpClient } from '../harness/http-client';
import { assignPlan, type PlanRequest } from '../harness/plans';
import { SeparateServices } from '../harness/separate-services';
import { Tables } from '../harness/tables';
import { until } from '../harness/waiting';

type Body = Answer['body'];

/** Each event comes once more, as a new one: no inbox knows it. */
const REPEATED_EVENTS = `
create function operations.repeat_event() returns trigger language plpgsql as $$
begin
  insert into operations.incoming (event_id, group_id, topic, event_key, payload, cause, occurred_at, trace)
  values (gen_random_uuid(), new.group_id, new.topic, new.event_key, new.payload, new.cause, new.occurred_at, new.trace);
  return null;
end $$;
create trigger repeat_event after insert on operations.incoming for each row
  when (pg_trigger_depth() = 0 and new.topic in ('document.classified.v1', 'process.requested.v1'))
  execute function operations.repeat_event()`;

/** The lease of the consumer and that of the calendar go to the replica that asks, also while the other one works. */
const LEASES_LOST = [
  `update operations.consumer_lease set held_until = '-infinity'`,
  `update operations.task set status = 'WAITING', lease = null, not_before = now()
   where group_id = $1 and stage = 'start-scheduled'`,
] as const;
const LOST_EVERY_MS = 30;

/** Two processes of the operations executor, which get every event twice and lose their leases when asked to. */
export class ExecutorReplicas {
  private constructor(
    readonly folders: string,
    private readonly services: SeparateServices,
    readonly client: HttpClient,
    private readonly tables: Tables,
  ) {}

  static async start(place: string): Promise<ExecutorReplicas> {
    const folders = join(place, 'folders');
    mkdirSync(folders);
    const services = await SeparateServices.start({ place, twice: ['operations'], folders });
    const client = new HttpClient({ port: services.portOf('gateway'), key: services.key });
    const tables = new Tables((role) => services.connection(role), parseKey(services.key)?.groupId ?? '');
    await tables.change('operations_owner', REPEATED_EVENTS);
    const replicas = new ExecutorReplicas(folders, services, client, tables);
    await replicas.answers();
    return replicas;
  }

  async stop(): Promise<void> {
    await this.tables.close();
    await this.services.stop();
  }

  /** The result of an operation that must succeed. */
  async execute(code: string, input: object): Promise<Body> {
    const { status, body } = await this.client.ask('POST', `/v1/operations/${code}:execute`, { input, confirm: true });
    if (status !== 200) throw new Error(`${code} answered ${status}: ${JSON.stringify(body)}`);
    return body['result'] as Body;
  }

  /** Defines two processes with the same trigger; answers their names. */
  async defineTwice(name: string, trigger: object): Promise<readonly string[]> {
    const names = [`${name}-ONE`, `${name}-TWO`];
    for (const each of names)
      await this.execute('group_processes.create', { process_code: each, name: each, ...trigger });
    return names;
  }

  /** What the processes of a type are about, by name; once nothing that was said waits. */
  async processes(type: string): Promise<readonly Body[]> {
    await until('every event has come', async () => (await this.waiting()) === 0);
    const { body } = await this.client.ask('GET', `/v1/processes?process_type=${type}&limit=200`);
    return body['processes'] as Body[];
  }

  /** Events that the executor gets or may get. */
  private async waiting(): Promise<number> {
    const counts = [];
    for (const [service, table] of [
      ['ingestion', 'outbox'],
      ['chat', 'outbox'],
      ['retrieval', 'outbox'],
      ['operations', 'outbox'],
      ['operations', 'incoming'],
    ] as const) {
      const sql = `select count(*)::int as count from ${service}.${table}`;
      counts.push((await this.tables.rows<{ count: number }>(`${service}_owner`, sql))[0]?.count ?? 0);
    }
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Does work while both replicas lose their leases again and again. */
  async whileLeasesAreLost<T>(work: () => Promise<T>): Promise<T> {
    const over = new AbortController();
    const losing = (async () => {
      while (!over.signal.aborted) {
        for (const sql of LEASES_LOST)
          await this.tables.change('operations_owner', sql, sql.includes('$1') ? [this.tables.groupId] : []);
        await pause(LOST_EVERY_MS);
      }
    })();
    try {
      return await work();
    } finally {
      over.abort();
      await losing;
    }
  }

  /** The definitions of the calendar exist since long: the present period is theirs. */
  async backdateSchedules(): Promise<void> {
    const sql = `update operations.group_process set scheduled_from = '2020-01-01' where group_id = $1`;
    await this.tables.change('operations_owner', sql, [this.tables.groupId]);
  }

  /** Gives the group a plan of so many searches. */
  async includeSearches(included: number): Promise<void> {
    const [first] = this.services.processesOf('operations');
    const run: PlanRequest['run'] = async (commands) =>
      (await first?.run(commands.flatMap(({ name, value }) => [`--${name}`, String(value)]))) ?? '';
    await assignPlan({ code: 'FEW', included: { RETRIEVALS: included }, run });
    await until('the plan has come', async () =>
      (await this.client.ask('GET', '/v1/usage')).text.includes(`"included":${included}`),
    );
  }

  /** Loses the last audit record, and starts both replicas again, which prove the records again. */
  async breakAudit(): Promise<void> {
    const sql = `delete from operations.audit_record r using operations.audit_head h
      where r.group_id = $1 and h.group_id = $1 and r.number = h.number`;
    await this.tables.change('operations_owner', sql, [this.tables.groupId]);
    for (const replica of [0, 1]) await this.kill(replica);
  }

  /** Kills a replica and starts it again; the other one serves meanwhile. */
  async kill(replica: number): Promise<void> {
    const { services } = this;
    const killed = services.processesOf('operations')[replica];
    if (killed === undefined) throw new Error(`There is no replica ${replica}.`);
    await services.killAndStart(killed);
    await this.answers();
  }

  private async answers(): Promise<void> {
    const path = '/v1/processes?limit=1';
    await until('the executor answers', async () => (await this.client.send('GET', path)).status === 200);
  }
}
