import { Module } from '@nestjs/common';
import { ChatModule, chatService } from '@acervo/chat';
import { PlatformModule, type ServiceProgram } from '@acervo/platform-service';

@Module({ imports: [PlatformModule.forService(chatService), ChatModule] })
export class AppModule {}

/** What this program runs; the one-machine program runs the same. */
export const app: ServiceProgram = { service: chatService, module: AppModule };
