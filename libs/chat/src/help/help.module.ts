import { Module } from '@nestjs/common';
import { ConversationsModule } from '../conversations/conversations.module';
import { HelpPassages } from './help-passages';
import { HelpService } from './help.service';
import { SupportRequestStore } from './support-request.store';
import { SupportRequests } from './support-requests';

/** Answers about the product itself, and support requests for what they do not settle. */
@Module({
  imports: [ConversationsModule],
  providers: [HelpPassages, HelpService, SupportRequestStore, SupportRequests],
  exports: [HelpService, SupportRequests],
})
export class HelpModule {}
