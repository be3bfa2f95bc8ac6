import { Module } from '@nestjs/common';
import { Build } from './build';
import { VersionController } from './version.controller';

/** The version of the running program. */
@Module({ controllers: [VersionController], providers: [Build], exports: [Build] })
export class VersionModule {}
