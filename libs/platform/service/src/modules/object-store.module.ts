import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ReadinessChecks } from '@acervo/platform-http';
import { DirectoryObjectStore, ObjectStore } from '@acervo/platform-object-store';
import { Metrics } from '@acervo/platform-observability';
import { ObjectStoreConfig } from '../settings/object-store-config';
import { ObservabilityModule } from './observability.module';

/** Loads the client of S3 only where objects are in a bucket. */
const openObjects = async (config: ObjectStoreConfig, metrics: Metrics): Promise<ObjectStore> => {
  if (config.objectStore === 'directory') return new DirectoryObjectStore(config.objectsDirectory);
  const { S3ObjectStore } = await import('@acervo/platform-object-store/s3');
  const settings = {
    endpoint: config.s3Endpoint,
    region: config.s3Region,
    bucket: config.s3Bucket,
    accessKey: config.s3AccessKey,
    secretKey: config.s3SecretKey,
    makesBucket: config.s3MakesBucket,
  };
  return new S3ObjectStore(settings, metrics);
};

/** Objects of the services: in a directory, or in a bucket. */
@Module({
  imports: [ObservabilityModule],
  providers: [{ provide: ObjectStore, inject: [ObjectStoreConfig, Metrics], useFactory: openObjects }],
  exports: [ObjectStore],
})
export class ObjectStoreModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly objects: ObjectStore,
    private readonly readiness: ReadinessChecks,
  ) {}

  onModuleInit(): void {
    const { objects } = this;
    if (objects.remote) this.readiness.add({ name: 'objects', optional: true, check: () => objects.ping() });
  }

  onApplicationShutdown(): void {
    this.objects.close();
  }
}
