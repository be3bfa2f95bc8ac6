import { Module } from '@nestjs/common';
import { EarlierSpacesController } from './earlier-spaces.controller';
import { SpacesController } from './spaces.controller';

/** Spaces: sets of documents. */
@Module({ controllers: [SpacesController, EarlierSpacesController] })
export class SpacesModule {}
