import { Module } from '@nestjs/common';
import { GroupFiguresStore } from './group-figures.store';
import { ScanFigures } from './scan-figures';

/** Metrics of ingestion that are read from its tables. */
@Module({ providers: [GroupFiguresStore, ScanFigures] })
export class FiguresModule {}
