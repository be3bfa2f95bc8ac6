import { Global, Module } from '@nestjs/common';
import { Authenticator } from '@acervo/platform-http';
import { CallAuthenticator } from './call-authenticator';

/** Verifies credentials by a call to auth; imported by services whose routes require credentials. */
@Global()
@Module({ providers: [{ provide: Authenticator, useClass: CallAuthenticator }], exports: [Authenticator] })
export class AuthenticationModule {}
