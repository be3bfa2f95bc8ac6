import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { FileAccessConfig } from '@acervo/files/settings';
import { Logger } from '@acervo/platform-observability';
import { FileAccess } from './file-access';
import { ProcessFileAccess } from './process-file-access';

/** Deadlines after which a share that hung is tried again: a probe takes a deadline of the time of one worker. */
const REST = 10;
const IDLE_MS = 30_000;

/** Access to the files of users. */
@Module({
  providers: [
    {
      provide: FileAccess,
      inject: [FileAccessConfig, Logger],
      useFactory: ({ fileAccessSeconds }: FileAccessConfig, logger: Pick<Logger, 'warn'>): FileAccess => {
        const silenceMs = fileAccessSeconds * 1_000;
        const log = (event: string): void => logger.warn(event);
        return new ProcessFileAccess({ silenceMs, restMs: REST * silenceMs, idleMs: IDLE_MS }, log);
      },
    },
  ],
  exports: [FileAccess],
})
export class FileAccessModule implements BeforeApplicationShutdown {
  constructor(private readonly files: FileAccess) {}

  beforeApplicationShutdown(): Promise<void> {
    return this.files.close();
  }
}
