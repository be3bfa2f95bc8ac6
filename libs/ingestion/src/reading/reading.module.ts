import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { TextSource } from '@acervo/extraction';
import { Logger } from '@acervo/platform-observability';
import { openSource } from './open-source';
import { ReadingConfig } from './reading.config';

/** Reads the text of files, in separate processes or through a server. */
@Module({
  providers: [{ provide: TextSource, inject: [ReadingConfig, Logger], useFactory: openSource }],
  exports: [TextSource],
})
export class ReadingModule implements BeforeApplicationShutdown {
  constructor(private readonly source: TextSource) {}

  beforeApplicationShutdown(): Promise<void> {
    return this.source.close();
  }
}
