import { Module } from '@nestjs/common';
import { OperationsController } from './operations.controller';

/** The generic executor and its catalogue. */
@Module({ controllers: [OperationsController] })
export class OperationsModule {}
