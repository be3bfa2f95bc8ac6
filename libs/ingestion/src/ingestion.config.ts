import { Setting } from '@acervo/platform-config';
import { EmbeddingConfig } from '@acervo/platform-service';

export class IngestionConfig extends EmbeddingConfig {
  @Setting({
    env: 'ACERVO_CPU_THREADS',
    default: 1,
    min: 1,
    max: 32,
    description: 'Threads that read, hash, cut and embed documents',
  })
  readonly cpuThreads!: number;
}
