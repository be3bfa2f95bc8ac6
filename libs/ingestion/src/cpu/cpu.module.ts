import { type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { IngestionConfig } from '../ingestion.config';
import { Cpu } from './cpu';
import { CpuThreads } from './cpu-threads';

/** Threads for work that would block the event loop. */
@Module({
  providers: [
    {
      provide: Cpu,
      inject: [IngestionConfig],
      useFactory: ({ cpuThreads }: IngestionConfig): Cpu => new CpuThreads(cpuThreads),
    },
  ],
  exports: [Cpu],
})
export class CpuModule implements BeforeApplicationShutdown {
  constructor(private readonly cpu: Cpu) {}

  beforeApplicationShutdown(): Promise<void> {
    return this.cpu.close();
  }
}
