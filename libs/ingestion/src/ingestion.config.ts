import { Setting } from '@acervo/platform-config';
import { ReadingConfig } from './reading/reading.config';

export class IngestionConfig extends ReadingConfig {
  @Setting({
    env: 'ACERVO_CPU_THREADS',
    default: 1,
    min: 1,
    max: 32,
    description: 'Threads that hash, cut and embed documents',
  })
  readonly cpuThreads!: number;
  @Setting({
    env: 'ACERVO_LARGEST_FILE_MB',
    default: 500,
    min: 1,
    max: 100_000,
    description: 'Size in megabytes above which scans leave a file out',
  })
  readonly largestFileMb!: number;
  @Setting({
    env: 'ACERVO_CURSOR_KEY',
    default: '',
    secret: true,
    description: 'Server key that the cursors of lists are signed with, at least 16 characters; several as 1:old,2:new',
  })
  readonly cursorKey!: string;
}
