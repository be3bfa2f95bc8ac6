import { randomUUID } from 'node:crypto';
import { DoneBefore, NotFound, ScopeClaims } from '@acervo/contracts';
import { Scope } from '@acervo/rbac';
import { KeyTaken, Once } from '../src/execution/once';
import { OnceStore } from '../src/execution/once.store';
import { type Opened, openOperations } from './support';

let opened: Opened;
let once: Once;
beforeAll(async () => {
  opened = await openOperations();
  once = new Once(opened.database, new OnceStore());
}, 60_000);
afterAll(() => opened.db.close(), 30_000);

const scope = (over: Partial<ScopeClaims> = {}): Scope =>
  new Scope(Object.assign(new ScopeClaims(), { groupId: randomUUID(), credentialId: 'key', ...over }), 'token');

describe('a request with an idempotency key', () => {
  it('has one effect and the same answer however often it is sent', async () => {
    const caller = scope();
    let effects = 0;
    const send = () => once.run(caller, 'k', { a: 1 }, async () => ({ effect: (effects += 1) }));
    expect([await send(), await send(), await send()]).toEqual([{ effect: 1 }, { effect: 1 }, { effect: 1 }]);
  });
  it('has one effect among twenty at once', async () => {
    const caller = scope();
    let effects = 0;
    const work = async () => ({ effect: (effects += 1) });
    const sent = await Promise.allSettled(Array.from({ length: 20 }, () => once.run(caller, 'k', {}, work)));
    const refused = sent.filter(({ status }) => status === 'rejected');
    expect(effects).toBe(1);
    for (const each of refused) expect((each as PromiseRejectedResult).reason).toBeInstanceOf(KeyTaken);
  });
  it('is refused with another body', async () => {
    const caller = scope();
    await once.run(caller, 'k', { a: 1 }, async () => ({}));
    await expect(once.run(caller, 'k', { a: 2 }, async () => ({}))).rejects.toMatchObject({
      details: { in_doubt: false },
    });
  });
  it('may be sent again after a refusal, which changed nothing', async () => {
    const caller = scope();
    const refusing = once.run(caller, 'k', {}, () => Promise.reject(new NotFound()));
    await expect(refusing).rejects.toBeInstanceOf(NotFound);
    await expect(once.run(caller, 'k', {}, async () => ({ done: true }))).resolves.toEqual({ done: true });
  });
  it('is sent again where nobody knows how it ended: its owner does it once', async () => {
    const caller = scope();
    await expect(once.run(caller, 'k', {}, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    const doneBefore = (): Promise<never> => Promise.reject(new DoneBefore());
    for (let round = 0; round < 2; round += 1)
      await expect(once.run(caller, 'k', {}, doneBefore)).rejects.toBeInstanceOf(DoneBefore);
    await expect(once.run(caller, 'k', {}, async () => ({ done: true }))).resolves.toEqual({ done: true });
    await expect(once.run(caller, 'k', {}, doneBefore)).resolves.toEqual({ done: true });
  });
  it('is refused while it is worked on', async () => {
    const caller = scope();
    let end = (): void => undefined;
    const first = once.run(caller, 'k', {}, () => new Promise((resolve) => (end = () => resolve({ done: true }))));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await expect(once.run(caller, 'k', {}, async () => ({}))).rejects.toMatchObject({ details: { in_doubt: true } });
    end();
    await expect(first).resolves.toEqual({ done: true });
  });
  it('is known to its owner by a key of its own, the same whenever it is sent again', async () => {
    const caller = scope();
    const keys: (string | undefined)[] = [];
    const lost = (key: string | undefined): Promise<never> => {
      keys.push(key);
      return Promise.reject(new Error('lost'));
    };
    for (let round = 0; round < 2; round += 1) await expect(once.run(caller, 'k', {}, lost)).rejects.toThrow('lost');
    await opened.database.write(caller, (tx) =>
      tx.query(`update operations.idempotency set begun_at = begun_at - interval '25 hours'`),
    );
    await expect(once.run(caller, 'k', { another: 1 }, lost)).rejects.toThrow('lost');
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keys[0]);
  });
  it('shares its key with nobody else', async () => {
    const ours = scope();
    for (const other of [ours, scope({ groupId: ours.groupId, credentialId: 'another' }), scope()])
      await expect(once.run(other, 'k', {}, async () => ({ own: true }))).resolves.toEqual({ own: true });
  });
});
