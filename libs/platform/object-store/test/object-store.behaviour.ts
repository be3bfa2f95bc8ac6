import { derivedObjectKey, ForeignObjectKey, newObjectKey, ObjectMissing, type ObjectStore } from '../src';

const mine = { groupId: '00000000-0000-7000-8000-00000000000a' };
const theirs = { groupId: '00000000-0000-7000-8000-00000000000b' };

/** The behaviour of every object store. */
export const behavesLikeAnObjectStore = (name: string, openStore: () => Promise<ObjectStore>): void =>
  describe(`${name} object store`, () => {
    let store: ObjectStore;
    beforeAll(async () => {
      store = await openStore();
    });

    it('an object store returns the bytes it was given', async () => {
      const key = newObjectKey(mine, 'text');
      await store.put(mine, key, Buffer.from([0, 255, 10]));
      expect([...(await store.get(mine, key))]).toEqual([0, 255, 10]);
    });
    it('the last of several writes is kept', async () => {
      const key = newObjectKey(mine, 'text');
      for (const text of ['one', 'two', 'three']) await store.put(mine, key, Buffer.from(text));
      expect((await store.get(mine, key)).toString()).toBe('three');
    });
    it('a created object is never replaced by another creation', async () => {
      const key = newObjectKey(mine, 'head');
      const attempts = Array.from({ length: 8 }, (_, at) => store.create(mine, key, Buffer.from(`one ${at}`)));
      const created = await Promise.all(attempts);
      expect(created.filter((stored) => stored)).toHaveLength(1);
      expect((await store.get(mine, key)).toString()).toBe(`one ${created.indexOf(true)}`);
      expect(await store.create(mine, key, Buffer.from('later'))).toBe(false);
      expect((await store.get(mine, key)).toString()).toBe(`one ${created.indexOf(true)}`);
    });
    it('a store that takes objects passes the check of a start', async () => {
      await expect(store.assertWritable()).resolves.toBeUndefined();
    });
    it('a missing or deleted object is reported as missing', async () => {
      const key = newObjectKey(mine, 'text');
      await expect(store.get(mine, key)).rejects.toThrow(ObjectMissing);
      await store.put(mine, key, Buffer.from('x'));
      await store.delete(mine, key);
      await store.delete(mine, key);
      await expect(store.get(mine, key)).rejects.toThrow(ObjectMissing);
    });
    it('the key of another group is refused in every operation', async () => {
      const key = newObjectKey(theirs, 'text');
      await store.put(theirs, key, Buffer.from('secret'));
      for (const attempt of [
        () => store.get(mine, key),
        () => store.put(mine, key, Buffer.from('')),
        () => store.delete(mine, key),
        () => store.create(mine, key, Buffer.from('')),
      ])
        expect(attempt).toThrow(ForeignObjectKey);
      expect((await store.get(theirs, key)).toString()).toBe('secret');
    });
    it.each([
      '../x',
      `group/${mine.groupId}/text/../../x`,
      `group/${mine.groupId}`,
      `/group/${mine.groupId}/text/x`,
      '',
    ])('the key %p, which has another grammar, is refused', (key) => {
      expect(() => store.get(mine, key)).toThrow(ForeignObjectKey);
    });
    it('a digest has one key per group, and needs enough digits', async () => {
      const [one, other] = ['ab'.repeat(32), 'cd'.repeat(32)];
      expect(derivedObjectKey(mine, 'pages', one)).toBe(derivedObjectKey(mine, 'pages', one));
      expect(derivedObjectKey(mine, 'pages', one)).not.toBe(derivedObjectKey(mine, 'pages', other));
      await store.put(mine, derivedObjectKey(mine, 'pages', one), Buffer.from('kept'));
      await expect(store.get(mine, derivedObjectKey(mine, 'pages', other))).rejects.toThrow(ObjectMissing);
      expect(() => store.get(theirs, derivedObjectKey(mine, 'pages', one))).toThrow(ForeignObjectKey);
      expect(() => derivedObjectKey(mine, 'pages', '../x')).toThrow(ForeignObjectKey);
    });
    it('the existence of an object is reported', async () => {
      const key = newObjectKey(mine, 'text');
      expect(await store.has(mine, key)).toBe(false);
      await store.put(mine, key, Buffer.from('x'));
      expect(await store.has(mine, key)).toBe(true);
      expect(() => store.has(theirs, key)).toThrow(ForeignObjectKey);
    });

    it('one kind of one group is listed in ordered, dated pages', async () => {
      const begun = Date.now();
      const keys = Array.from({ length: 7 }, () => newObjectKey(mine, 'listed')).sort();
      for (const key of [...keys, newObjectKey(mine, 'listed-not'), newObjectKey(theirs, 'listed')])
        await store.put(key.includes(mine.groupId) ? mine : theirs, key, Buffer.from('x'));
      const found: string[] = [];
      for (let after: string | null = null; ;) {
        const page = await store.page(mine, 'listed', { after, limit: 3 });
        found.push(...page.map(({ key }) => key));
        for (const { modifiedAt } of page) expect(Math.abs(modifiedAt.getTime() - begun)).toBeLessThan(60_000);
        after = page.at(-1)?.key ?? null;
        if (page.length < 3) break;
      }
      expect(found).toEqual(keys);
      expect(await store.page(mine, 'unheard-of', { after: null, limit: 3 })).toEqual([]);
      expect(() => store.page(mine, '../x', { after: null, limit: 3 })).toThrow(ForeignObjectKey);
    });

    it('tidying deletes no complete object', async () => {
      const key = newObjectKey(mine, 'text');
      await store.put(mine, key, Buffer.from('x'));
      await store.tidy(mine, new Date(Date.now() + 60_000));
      expect(await store.has(mine, key)).toBe(true);
    });

    it('a listing contains the keys of one group only', async () => {
      const listed: string[] = [];
      for await (const key of store.list(theirs)) listed.push(key);
      expect(listed).toHaveLength(2);
      for (const key of listed) expect(key).toContain(theirs.groupId);
    });
  });
