import { randomUUID } from 'node:crypto';
import { DoneBefore, InternalFailure, NotFound, ScopeClaims } from '@acervo/contracts';
import { Scope } from '@acervo/rbac';
import { KeyTaken, Idempotency } from '../src/execution/idempotency';
import { IdempotencyStore } from '../src/execution/idempotency.store';
import { type Opened, openOperations } from './support';

let opened: Opened;
let idempotency: Idempotency;
beforeAll(async () => {
  opened = await openOperations();
  idempotency = new Idempotency(opened.database, new IdempotencyStore());
});
afterAll(() => opened.db.close());

const scope = (over: Partial<ScopeClaims> = {}): Scope =>
  new Scope(Object.assign(new ScopeClaims(), { groupId: randomUUID(), credentialId: 'key', ...over }), 'token');

describe('a request with an idempotency key', () => {
  it('a repeated request has one effect and the same answer', async () => {
    const caller = scope();
    let effects = 0;
    const send = () => idempotency.run(caller, 'k', { a: 1 }, async () => ({ effect: (effects += 1) }));
    expect([await send(), await send(), await send()]).toEqual([{ effect: 1 }, { effect: 1 }, { effect: 1 }]);
  });
  it('twenty concurrent requests have one effect', async () => {
    const caller = scope();
    let effects = 0;
    const work = async () => ({ effect: (effects += 1) });
    const sent = await Promise.allSettled(Array.from({ length: 20 }, () => idempotency.run(caller, 'k', {}, work)));
    const refused = sent.filter(({ status }) => status === 'rejected');
    expect(effects).toBe(1);
    for (const each of refused) expect((each as PromiseRejectedResult).reason).toBeInstanceOf(KeyTaken);
  });
  it('the same key with another body is refused', async () => {
    const caller = scope();
    await idempotency.run(caller, 'k', { a: 1 }, async () => ({}));
    await expect(idempotency.run(caller, 'k', { a: 2 }, async () => ({}))).rejects.toMatchObject({
      details: { in_doubt: false },
    });
  });
  it('a refused request changed nothing and may be sent again', async () => {
    const caller = scope();
    const refusing = idempotency.run(caller, 'k', {}, () => Promise.reject(new NotFound()));
    await expect(refusing).rejects.toBeInstanceOf(NotFound);
    await expect(idempotency.run(caller, 'k', {}, async () => ({ done: true }))).resolves.toEqual({ done: true });
  });
  it('a refused request gives its key back, one with unknown outcome retains it', async () => {
    const tried = async (error: Error): Promise<unknown> => {
      const caller = scope();
      await expect(idempotency.run(caller, 'k', { a: 1 }, () => Promise.reject(error))).rejects.toBe(error);
      return idempotency
        .run(caller, 'k', { another: 1 }, async () => ({ done: true }))
        .catch((cause: unknown) => cause);
    };
    expect(await tried(new NotFound())).toEqual({ done: true });
    for (const error of [new DoneBefore(), new InternalFailure('It failed.'), new Error('lost')]) {
      const refused = await tried(error);
      expect(refused).toBeInstanceOf(KeyTaken);
      expect((refused as KeyTaken).message).toMatch(/use another one/);
    }
  });
  it('a request with unknown outcome is sent again and executed once', async () => {
    const caller = scope();
    await expect(idempotency.run(caller, 'k', {}, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    const doneBefore = (): Promise<never> => Promise.reject(new DoneBefore());
    for (let round = 0; round < 2; round += 1)
      await expect(idempotency.run(caller, 'k', {}, doneBefore)).rejects.toBeInstanceOf(DoneBefore);
    await expect(idempotency.run(caller, 'k', {}, async () => ({ done: true }))).resolves.toEqual({ done: true });
    await expect(idempotency.run(caller, 'k', {}, doneBefore)).resolves.toEqual({ done: true });
  });
  it('the key of a running request is refused', async () => {
    const caller = scope();
    let end = (): void => undefined;
    const answered = new Promise<Record<string, unknown>>((resolve) => (end = () => resolve({ done: true })));
    let first: Promise<unknown> = Promise.resolve();
    await new Promise<void>((began) => {
      first = idempotency.run(caller, 'k', {}, () => {
        began();
        return answered;
      });
    });
    await expect(idempotency.run(caller, 'k', {}, async () => ({}))).rejects.toMatchObject({
      details: { in_doubt: true },
    });
    end();
    await expect(first).resolves.toEqual({ done: true });
  });
  it('the owner gets the same key for every repetition', async () => {
    const caller = scope();
    const keys: (string | undefined)[] = [];
    const lost = (key: string | undefined): Promise<never> => {
      keys.push(key);
      return Promise.reject(new Error('lost'));
    };
    for (let round = 0; round < 2; round += 1)
      await expect(idempotency.run(caller, 'k', {}, lost)).rejects.toThrow('lost');
    await opened.database.write(caller, (tx) =>
      tx.query(`update operations.idempotency set begun_at = begun_at - interval '25 hours'`),
    );
    await expect(idempotency.run(caller, 'k', { another: 1 }, lost)).rejects.toThrow('lost');
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[0]);
  });
  it('equal keys of other callers stay independent, also while one runs', async () => {
    const ours = scope();
    const others = [scope({ groupId: ours.groupId, credentialId: 'another' }), scope()];
    const during = async (): Promise<Record<string, unknown>> => {
      for (const other of others)
        expect(await idempotency.run(other, 'running', {}, async () => ({ fresh: true }))).toEqual({ fresh: true });
      expect(await idempotency.run(ours, 'another key', {}, async () => ({ fresh: true }))).toEqual({ fresh: true });
      return { done: true };
    };
    await expect(idempotency.run(ours, 'running', {}, during)).resolves.toEqual({ done: true });
    for (const other of [ours, scope({ groupId: ours.groupId, credentialId: 'another' }), scope()])
      await expect(idempotency.run(other, 'k', {}, async () => ({ fresh: true }))).resolves.toEqual({ fresh: true });
  });
});
