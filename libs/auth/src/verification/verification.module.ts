import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module';
import { FocusModule } from '../focus/focus.module';
import { SecretsModule } from '../secrets/secrets.module';
import { TokensModule } from '../tokens/tokens.module';
import { KeyUses } from './key-uses';
import { KeyVerifier } from './key-verifier';
import { RequestLimits } from './request-limits';
import { SessionVerifier } from './session-verifier';
import { VerificationHandlers } from './verification.handlers';

/** Turns credentials into scopes, for the guards of every service. */
@Module({
  imports: [SecretsModule, TokensModule, CredentialsModule, FocusModule],
  providers: [VerificationHandlers, KeyUses, KeyVerifier, SessionVerifier, RequestLimits],
})
export class VerificationModule {}
