import { Module } from '@nestjs/common';
import { TreesController } from './trees.controller';

/** The trees of areas and locations. */
@Module({ controllers: [TreesController] })
export class TreesModule {}
