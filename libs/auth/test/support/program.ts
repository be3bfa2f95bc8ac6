import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { PlatformModule, type ServiceProgram } from '@acervo/platform-service';
import { AuthModule, authService } from '../../src';

@Module({ imports: [PlatformModule.forService(authService), AuthModule] })
class AuthApplication {}

/** auth-service as its own program runs it. */
export const authProgram: ServiceProgram = { service: authService, module: AuthApplication };
