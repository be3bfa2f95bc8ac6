import { Module } from '@nestjs/common';
import { languagesFrom } from '@acervo/analysis';
import { TextSource } from '@acervo/extraction';
import { TextConfig } from '@acervo/platform-service';
import { ReadingConfig } from './reading.config';
import { ReadingModule } from './reading.module';
import { PipelineSettings, settingsFor } from './pipeline-settings';

const MEGABYTE = 1_000_000;

const settingsOf = (config: ReadingConfig, { languages }: TextConfig, reading: TextSource): PipelineSettings =>
  settingsFor({
    mostBytes: config.extractionFileMb * MEGABYTE,
    mostDepth: config.extractionDepth,
    languages: languagesFrom(languages),
    reading,
  });

/** The settings that determine the output of the steps. */
@Module({
  imports: [ReadingModule],
  providers: [{ provide: PipelineSettings, inject: [ReadingConfig, TextConfig, TextSource], useFactory: settingsOf }],
  exports: [PipelineSettings],
})
export class PipelineSettingsModule {}
