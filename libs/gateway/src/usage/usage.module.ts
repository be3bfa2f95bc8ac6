import { Module } from '@nestjs/common';
import { UsageController } from './usage.controller';

/** The plan of a group and its usage. */
@Module({ controllers: [UsageController] })
export class UsageModule {}
