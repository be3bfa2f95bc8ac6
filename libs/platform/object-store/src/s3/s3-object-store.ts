import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { EngineDown } from '@acervo/contracts';
import type { Metrics } from '@acervo/platform-observability';
import { groupPrefix, ObjectMissing, type ObjectOwner, ObjectStoreUnusable } from '../object-key';
import { OBJECT_STORE } from '../object-store-metrics';
import { ObjectStore, type Page, type StoredObject } from '../object-store';
import { ObjectStoreRefused, S3, understood } from './s3-errors';

export interface S3Settings {
  /** Address of a store other than Amazon's; null for Amazon's. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly bucket: string;
  /** Without keys the client finds those of the machine. */
  readonly accessKey: string | null;
  readonly secretKey: string | null;
  /** Whether a missing bucket is created. */
  readonly makesBucket: boolean;
}

/** Larger objects are sent in parts of this size, two at a time; a failed part is sent again alone. */
const PART = 8 * 1024 * 1024;
const TRIES = 3;

const clientOf = ({ endpoint, region, accessKey, secretKey }: S3Settings): S3Client =>
  new S3Client({
    region,
    maxAttempts: TRIES,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 15_000, httpsAgent: { maxSockets: 32 } },
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(accessKey === null ? {} : { credentials: { accessKeyId: accessKey, secretAccessKey: secretKey ?? '' } }),
  });

/** Objects in a bucket. Every write carries a checksum that the store verifies; every read is verified here. */
export class S3ObjectStore extends ObjectStore {
  override readonly remote = true;
  private readonly client: S3Client;
  private readonly bucket: { readonly Bucket: string };
  private readonly seconds;

  constructor(
    private readonly settings: S3Settings,
    metrics: Metrics,
  ) {
    super();
    this.client = clientOf(settings);
    this.bucket = { Bucket: settings.bucket };
    this.seconds = metrics.seconds(OBJECT_STORE);
  }

  async *list(owner: ObjectOwner): AsyncIterable<string> {
    const pages = paginateListObjectsV2({ client: this.client }, { ...this.bucket, Prefix: `${groupPrefix(owner)}/` });
    try {
      for await (const { Contents = [] } of pages) for (const { Key } of Contents) if (Key !== undefined) yield Key;
    } catch (error) {
      throw understood(error);
    }
  }

  /** Aborts uploads that were never completed. */
  async tidy(owner: ObjectOwner, before: Date): Promise<number> {
    const request = { ...this.bucket, Prefix: `${groupPrefix(owner)}/` };
    // At most a thousand per run; the next run finds the rest.
    const { Uploads = [] } = await this.timed('tidy', () => this.client.send(new ListMultipartUploadsCommand(request)));
    const old = Uploads.filter(({ Initiated }) => Initiated !== undefined && Initiated < before);
    for (const { Key, UploadId } of old)
      await this.timed('tidy', () =>
        this.client.send(new AbortMultipartUploadCommand({ ...this.bucket, Key, UploadId })),
      );
    return old.length;
  }

  override async ping(): Promise<void> {
    await this.timed('ping', () => this.client.send(new HeadBucketCommand(this.bucket)));
  }

  async assertWritable(): Promise<void> {
    try {
      await this.ping();
    } catch (error) {
      const comes = error instanceof ObjectMissing && this.settings.makesBucket;
      if (error instanceof EngineDown || comes) return;
      throw new ObjectStoreUnusable(
        `The bucket ${this.settings.bucket} cannot be used: ${(error as Error).message}`,
        'set ACERVO_S3_ENDPOINT, ACERVO_S3_BUCKET, ACERVO_S3_ACCESS_KEY and ACERVO_S3_SECRET_KEY as ingestion has them.',
      );
    }
  }

  override close(): void {
    this.client.destroy();
  }

  protected write(key: string, bytes: Uint8Array): Promise<void> {
    return this.inBucket(() => this.send(key, bytes));
  }

  protected async writeNew(key: string, bytes: Uint8Array): Promise<boolean> {
    const request = { ...this.bucket, Key: key, Body: bytes, IfNoneMatch: '*' };
    const created = this.inBucket(() => this.timed('create', () => this.client.send(new PutObjectCommand(request))));
    return created.then(
      () => true,
      (error: unknown) => {
        if (error instanceof ObjectStoreRefused && error.reason === 'PreconditionFailed') return false;
        throw error;
      },
    );
  }

  protected read(key: string): Promise<Buffer> {
    return this.timed('get', async () => {
      const { Body } = await this.client.send(new GetObjectCommand({ ...this.bucket, Key: key }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    });
  }

  protected async exists(key: string): Promise<boolean> {
    const found = this.timed('head', () => this.client.send(new HeadObjectCommand({ ...this.bucket, Key: key })));
    return found.then(
      () => true,
      (error: unknown) => {
        if (error instanceof ObjectMissing) return false;
        throw error;
      },
    );
  }

  protected async pageOf(prefix: string, { after, limit }: Page): Promise<readonly StoredObject[]> {
    const request = {
      ...this.bucket,
      Prefix: prefix,
      MaxKeys: limit,
      ...(after === null ? {} : { StartAfter: after }),
    };
    const { Contents = [] } = await this.timed('page', () => this.client.send(new ListObjectsV2Command(request)));
    return Contents.flatMap(({ Key, LastModified }) =>
      Key === undefined ? [] : [{ key: Key, modifiedAt: LastModified ?? new Date() }],
    );
  }

  protected async remove(key: string): Promise<void> {
    await this.timed('delete', () => this.client.send(new DeleteObjectCommand({ ...this.bucket, Key: key })));
  }

  private async send(Key: string, bytes: Uint8Array): Promise<void> {
    const params = { ...this.bucket, Key, Body: bytes };
    await this.timed('put', async () => {
      if (bytes.length <= PART) await this.client.send(new PutObjectCommand(params));
      else await new Upload({ client: this.client, params, partSize: PART, queueSize: 2 }).done();
    });
  }

  /** Repeats a write once the missing bucket is made, where it may be. */
  private async inBucket<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const lacksBucket = error instanceof ObjectStoreRefused && error.reason === 'NoSuchBucket';
      if (!lacksBucket || !this.settings.makesBucket) throw error;
      await this.makeBucket();
      return work();
    }
  }

  /** Another process may create it at the same time. */
  private async makeBucket(): Promise<void> {
    await this.timed('make', () => this.client.send(new CreateBucketCommand(this.bucket))).catch((error: unknown) => {
      if (!(error instanceof ObjectStoreRefused) || !error.reason.startsWith('BucketAlready')) throw error;
    });
  }

  private async timed<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const stop = this.seconds.startTimer({ engine: S3, operation });
    try {
      const result = await work();
      stop({ outcome: 'answered' });
      return result;
    } catch (error) {
      const meaning = understood(error);
      stop({ outcome: meaning.name === 'ObjectMissing' ? 'answered' : 'failed' });
      throw meaning;
    }
  }
}
