import { Module } from '@nestjs/common';
import { ApplicationStore } from './application.store';

/** Applications of the product. */
@Module({ providers: [ApplicationStore], exports: [ApplicationStore] })
export class ApplicationsModule {}
