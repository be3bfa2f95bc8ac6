import { Module } from '@nestjs/common';
import { DatabasesModule } from '../databases/databases.module';
import { Directory } from '../accounts/directory';

/** People and groups by their codes, across groups. */
@Module({ imports: [DatabasesModule], providers: [Directory], exports: [Directory] })
export class DirectoryModule {}
