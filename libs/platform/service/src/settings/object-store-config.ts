import { Setting } from '@acervo/platform-config';

/** Where objects are stored: texts, chunks, vectors. A service without these settings has no objects. */
export class ObjectStoreConfig {
  @Setting({
    env: 'ACERVO_OBJECT_STORE',
    explicit: 's3',
    default: 'directory',
    oneOf: ['directory', 's3'],
    description: 'Where objects are kept: in a directory that all services share, or in a bucket',
  })
  readonly objectStore!: string;
  @Setting({ env: 'ACERVO_OBJECTS_DIRECTORY', default: 'objects', description: 'Directory of the object store' })
  readonly objectsDirectory!: string;
  @Setting({ env: 'ACERVO_S3_ENDPOINT', default: null, description: 'Address of the store; null for Amazon S3 itself' })
  readonly s3Endpoint!: string | null;
  @Setting({ env: 'ACERVO_S3_REGION', default: 'us-east-1', description: 'Region of the bucket' })
  readonly s3Region!: string;
  @Setting({ env: 'ACERVO_S3_BUCKET', default: 'acervo', description: 'The bucket' })
  readonly s3Bucket!: string;
  @Setting({
    env: 'ACERVO_S3_ACCESS_KEY',
    default: null,
    secret: true,
    description: 'Key to the store; without it the one that the machine has',
  })
  readonly s3AccessKey!: string | null;
  @Setting({ env: 'ACERVO_S3_SECRET_KEY', default: null, secret: true, description: 'Its secret' })
  readonly s3SecretKey!: string | null;
  @Setting({ env: 'ACERVO_S3_MAKE_BUCKET', default: false, description: 'Whether a missing bucket is made' })
  readonly s3MakesBucket!: boolean;
}
