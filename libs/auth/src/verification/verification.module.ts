import { Module } from '@nestjs/common';
import { FocusModule } from '../focus/focus.module';
import { PeppersModule } from '../secrets/secrets.module';
import { SessionStoreModule } from '../sessions/session-store.module';
import { TokensModule } from '../tokens/tokens.module';
import { HoldersModule } from '../credentials/credentials.module';
import { KeyVerifier } from './key-verifier';
import { RequestLimits } from './request-limits';
import { SessionVerifier } from './session-verifier';
import { VerificationService } from './verification.service';

/** Turns credentials into scopes, for the guards of every service. */
@Module({
  imports: [PeppersModule, TokensModule, SessionStoreModule, HoldersModule, FocusModule],
  providers: [VerificationService, KeyVerifier, SessionVerifier, RequestLimits],
})
export class VerificationModule {}
