import { Module } from '@nestjs/common';

/** Describe in one sentence what this service does for its callers. */
@Module({ imports: [] })
export class ChatModule {}
