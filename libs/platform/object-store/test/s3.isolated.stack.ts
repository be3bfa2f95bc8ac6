import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { EngineDown } from '@acervo/contracts';
import { Metrics } from '@acervo/platform-observability';
import { actOnEngine, describeOnStack, stackVariable } from '@acervo/platform-testing';
import { newObjectKey, ObjectStoreUnusable } from '../src';
import { ObjectStoreRefused, S3ObjectStore, type S3Settings } from '../src/s3';
import { behavesLikeAnObjectStore } from './object-store.behaviour';

const owner = { groupId: '00000000-0000-7000-8000-00000000000c' };
const opened: S3ObjectStore[] = [];

const open = (over: Partial<S3Settings> = {}): S3ObjectStore => {
  const settings: S3Settings = {
    endpoint: stackVariable('ACERVO_S3_ENDPOINT'),
    region: stackVariable('ACERVO_S3_REGION'),
    accessKey: stackVariable('ACERVO_S3_ACCESS_KEY'),
    secretKey: stackVariable('ACERVO_S3_SECRET_KEY'),
    bucket: `test-${randomUUID()}`,
    makesBucket: true,
    ...over,
  };
  const store = new S3ObjectStore(settings, new Metrics('test'));
  opened.push(store);
  return store;
};

/** A store with its bucket. */
const made = async (): Promise<S3ObjectStore> => {
  const store = open();
  await store.put(owner, newObjectKey(owner, 'first'), Buffer.from('x'));
  return store;
};

describeOnStack('S3', ['s3'], () => {
  behavesLikeAnObjectStore('an S3', made);

  describe('objects in S3', () => {
    let store: S3ObjectStore;
    beforeAll(async () => {
      store = await made();
    });
    afterAll(() => opened.forEach((each) => each.close()));

    it('objects sent in parts are read back whole', async () => {
      const key = newObjectKey(owner, 'large');
      const bytes = randomBytes(20 * 1024 * 1024 + 17);
      await store.put(owner, key, bytes);
      const digest = (data: Buffer): string => createHash('sha256').update(data).digest('hex');
      expect(digest(await store.get(owner, key))).toBe(digest(bytes));
    });

    it('objects are listed beyond the first page', async () => {
      const many = { groupId: randomUUID() };
      const keys = Array.from({ length: 1_050 }, () => newObjectKey(many, 'text'));
      for (let from = 0; from < keys.length; from += 50)
        await Promise.all(keys.slice(from, from + 50).map((key) => store.put(many, key, Buffer.from('x'))));
      const listed: string[] = [];
      for await (const key of store.list(many)) listed.push(key);
      expect(listed.toSorted()).toEqual(keys.toSorted());
    });

    it('a wrong secret or missing bucket is refused with its reason', async () => {
      const key = newObjectKey(owner, 'text');
      const stranger = open({ secretKey: 'wrong' }).put(owner, key, Buffer.from('x'));
      await expect(stranger).rejects.toThrow(ObjectStoreRefused);
      const homeless = open({ makesBucket: false }).put(owner, key, Buffer.from('x'));
      await expect(homeless).rejects.toThrow(/NoSuchBucket.*bucket in the configuration/);
    });

    it('an unusable bucket stops a start and names the settings', async () => {
      for (const settings of [{ secretKey: 'wrong' }, { makesBucket: false }]) {
        const checked = open(settings).assertWritable();
        await expect(checked).rejects.toThrow(ObjectStoreUnusable);
        await expect(checked).rejects.toThrow(/ACERVO_S3_BUCKET/);
      }
      await expect(open().assertWritable()).resolves.toBeUndefined();
    });

    it('a killed store reports that it is down, and keeps objects', async () => {
      const key = newObjectKey(owner, 'text');
      await store.put(owner, key, Buffer.from('kept'));
      await actOnEngine('s3', 'kill');
      try {
        await expect(store.get(owner, key)).rejects.toThrow(EngineDown);
        await expect(store.ping()).rejects.toThrow(EngineDown);
        await expect(store.assertWritable()).resolves.toBeUndefined();
      } finally {
        await actOnEngine('s3', 'start');
      }
      expect((await store.get(owner, key)).toString()).toBe('kept');
      await store.ping();
    });
  });
});
