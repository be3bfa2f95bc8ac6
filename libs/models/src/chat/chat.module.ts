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
 * The chat model that the configuration names, or the stand-in that says that there is none. Each call of it is counted
 * and recorded by operations.
 */
@Module({
  providers: [
    { provide: ModelAccounts, useClass: ServiceAccounts },
    { provide: ChatModel, inject: [ChatConfig, Metrics, ModelAccounts], useFactory: open },
  ],
  exports: [ChatModel],
})
export class ChatModelModule {}
