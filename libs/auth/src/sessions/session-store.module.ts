import { Module } from '@nestjs/common';
import { SessionStore } from '../credentials/session.store';

/** The table of sessions, for every feature that reads or ends them. */
@Module({ providers: [SessionStore], exports: [SessionStore] })
export class SessionStoreModule {}
