import { Module } from '@nestjs/common';
import { ProcessesController } from './processes.controller';

/** The processes of a group. */
@Module({ controllers: [ProcessesController] })
export class ProcessRoutesModule {}
