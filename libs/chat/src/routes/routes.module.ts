import { Module } from '@nestjs/common';
import { AskingModule } from '../asking/asking.module';
import { ChatController } from './chat.controller';
import { ChatLimits } from './chat-limits';
import { StreamAnswer } from './stream-answer';

/** Conversations as the web application uses them, with answers that stream. */
@Module({ imports: [AskingModule], controllers: [ChatController], providers: [ChatLimits, StreamAnswer] })
export class RoutesModule {}
