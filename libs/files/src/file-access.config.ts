import { Setting } from '@acervo/platform-config';

/** How long the files of users may keep what reads them waiting. */
export class FileAccessConfig {
  @Setting({
    env: 'ACERVO_FILE_ACCESS_SECONDS',
    default: 20,
    min: 1,
    max: 3_600,
    description: 'Seconds without progress after which reading a folder is given up, because its share hangs',
  })
  readonly fileAccessSeconds!: number;
}
