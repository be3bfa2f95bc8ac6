import { Module } from '@nestjs/common';
import { FunctionsController } from './functions.controller';

/** The functions that the caller may use. */
@Module({ controllers: [FunctionsController] })
export class FunctionsModule {}
