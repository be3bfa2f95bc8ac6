import { Queue } from 'bullmq';
import type { Event } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { PostgresCounters } from '@acervo/platform-counters';
import { Outbox } from '@acervo/platform-messaging';
import { messageOf } from '@acervo/platform-messaging/kafka';
import { ForeignObjectKey, ObjectStore } from '@acervo/platform-object-store';
import { type NewTask, Tasks } from '@acervo/platform-queue';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const OBJECT = new RegExp(`^group/(${UUID})/[a-z-]{1,32}/${UUID}$`);
const JOB = new RegExp(`^(${UUID})-([a-z-]+)$`);
/**
 * A counter that exists before its group is known belongs to an address, a mailbox or a device; all other counters
 * name their group.
 */
const COUNT = new RegExp(
  `^((address|password|device|mail|invitation):|invitations:${UUID}$|(factor|challenge|conversation|question):${UUID}:)`,
);

type Method = (this: unknown, ...args: never[]) => unknown;

/** Runs `note` before a method of a class; the result and errors of the method stay unchanged. */
const before = (type: { prototype: object }, name: string, note: (...args: unknown[]) => void): void => {
  const prototype = type.prototype as Record<string, Method>;
  const method = prototype[name];
  if (method === undefined) throw new Error(`There is no method ${name} any more; say here what replaced it.`);
  prototype[name] = function (this: unknown, ...args: never[]): unknown {
    note(...args);
    return method.apply(this, args);
  };
};

/** Records every key that leaves this process towards an engine, and its violations. */
export class KeyGrammar {
  /** Number of keys by kind. */
  readonly seen = { objects: 0, foreign: 0, jobs: 0, messages: 0, counts: 0 };
  readonly wrong: string[] = [];
  /** Stages with tasks that had more fields than their subject. */
  readonly observed = new Set<string>();

  static watch(): KeyGrammar {
    const grammar = new KeyGrammar();
    for (const name of ['put', 'create', 'get', 'delete', 'has']) grammar.objects(name);
    before(Queue, 'add', (_name, data, options) => grammar.job(data, options));
    before(Outbox, 'append', (tx, event, payload) =>
      grammar.message(tx as Transaction, event as Event, payload as object),
    );
    before(Tasks, 'enqueue', (_tx, task) => grammar.work(task as NewTask));
    before(PostgresCounters, 'take', (name) => grammar.count(String(name)));
    return grammar;
  }

  /** Rejects a key of another group or grammar before it reaches the store. */
  private objects(name: string): void {
    const prototype = ObjectStore.prototype as unknown as Record<string, Method>;
    const method = prototype[name] as Method;
    const judge = (groupId: string, key: string, refused: boolean): void => {
      const fits = OBJECT.exec(key)?.[1] === groupId;
      if (fits) this.seen.objects += 1;
      else this.seen.foreign += 1;
      if (fits === refused)
        this.wrong.push(`object ${name}: ${key} for ${groupId} ${refused ? 'refused' : 'admitted'}`);
    };
    prototype[name] = function (this: unknown, ...args: never[]): unknown {
      const [{ groupId }, key] = args as unknown as [{ groupId: string }, string];
      try {
        const answer = method.apply(this, args);
        judge(groupId, key, false);
        return answer;
      } catch (error) {
        judge(groupId, key, error instanceof ForeignObjectKey);
        throw error;
      }
    };
  }

  private job(data: unknown, options: unknown): void {
    this.seen.jobs += 1;
    const { groupId, stage } = data as { groupId: string; stage: string };
    const { jobId } = options as { jobId: string };
    const [, group, named] = JOB.exec(jobId) ?? [];
    if (group === undefined || group !== groupId || named !== stage) this.wrong.push(`job ${jobId} for ${groupId}`);
  }

  private message({ groupId }: Transaction, event: Event, payload: object): void {
    this.seen.messages += 1;
    if (groupId === null) return void this.wrong.push(`message ${event.topic} without a group`);
    const key = event.key(payload);
    const named = { event_id: '', group_id: groupId, topic: event.topic, event_key: key, payload: '{}', cause: '' };
    const sent = messageOf({ ...named, occurred_at: '', trace: null });
    if (sent.key !== `${groupId}:${key}` || sent.headers?.['group_id'] !== groupId)
      this.wrong.push(`message ${event.topic} with the key ${String(sent.key)}`);
  }

  private work({ stage, payload = {} }: NewTask): void {
    if (Object.keys(payload).length > 0) this.observed.add(stage);
  }

  private count(name: string): void {
    this.seen.counts += 1;
    if (!COUNT.test(name)) this.wrong.push(`count ${name}`);
  }
}
