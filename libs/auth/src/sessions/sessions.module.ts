import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module';
import { DatabasesModule } from '../databases/databases.module';
import { FocusModule } from '../focus/focus.module';
import { AttemptsModule } from '../attempts/attempts.module';
import { SecretsModule } from '../secrets/secrets.module';
import { AccountsModule } from '../accounts/accounts.module';
import { TokensModule } from '../tokens/tokens.module';
import { ContextHandlers } from './context.handlers';
import { ContextStore } from './context.store';
import { ScopeRenewal } from './scope-renewal';
import { SessionOpener } from './session-opener';
import { SessionsController } from './sessions.controller';
import { SessionsHandlers } from './sessions.handlers';

/** Sessions: login, refresh, logout, and their context. */
@Module({
  imports: [
    SecretsModule,
    DatabasesModule,
    AccountsModule,
    AttemptsModule,
    TokensModule,
    CredentialsModule,
    FocusModule,
  ],
  controllers: [SessionsController],
  providers: [SessionsHandlers, ContextHandlers, ContextStore, SessionOpener, ScopeRenewal],
  exports: [SessionOpener],
})
export class SessionsModule {}
