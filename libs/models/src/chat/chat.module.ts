import { Module } from '@nestjs/common';
import { Metrics } from '@acervo/platform-observability';
import { ChatConfig } from '@acervo/platform-service';
import { chatRequestsIn, publishChatLoad } from './chat-metrics';
import { ChatModel } from './chat-model';
import { ModelAccounts } from './model-accounts';
import { openChatModel } from './open-chat-model';
import { ServiceAccounts } from './service-accounts';

export { chatMetrics } from './chat-metrics';

const open = (config: ChatConfig, metrics: Metrics, accounts: ModelAccounts): ChatModel => {
  const model = openChatModel(config, chatRequestsIn(metrics), accounts);
  publishChatLoad(metrics, model);
  return model;
};

/**
 * The chat model that the configuration names; without one, `NoChatModel`. Operations counts and records each call of it.
 */
@Module({
  providers: [
    { provide: ModelAccounts, useClass: ServiceAccounts },
    { provide: ChatModel, inject: [ChatConfig, Metrics, ModelAccounts], useFactory: open },
  ],
  exports: [ChatModel],
})
export class ChatModelModule {}
