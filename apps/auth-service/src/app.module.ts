import { Module } from '@nestjs/common';
import { AuthModule, authService } from '@acervo/auth';
import { PlatformModule, type ServiceProgram } from '@acervo/platform-service';

/** The application of auth. */
@Module({ imports: [PlatformModule.forService(authService), AuthModule] })
export class AppModule {}

/** What this program runs; the one-machine program runs the same. */
export const app: ServiceProgram = { service: authService, module: AppModule };
