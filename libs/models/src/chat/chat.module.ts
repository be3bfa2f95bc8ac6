import { Module } from '@nestjs/common';
import { Metrics } from '@acervo/platform-observability';
import { ChatConfig } from '@acervo/platform-service';
import { chatRequestsIn, publishChatLoad } from './chat-metrics';
import { ChatModel } from './chat-model';
import { openChatModel } from './open-chat-model';

export { chatMetrics } from './chat-metrics';

const open = (config: ChatConfig, metrics: Metrics): ChatModel => {
  const model = openChatModel(config, chatRequestsIn(metrics));
  publishChatLoad(metrics, model);
  return model;
};

/** The chat model that the configuration names, or the stand-in that says that there is none. */
@Module({
  providers: [{ provide: ChatModel, inject: [ChatConfig, Metrics], useFactory: open }],
  exports: [ChatModel],
})
export class ChatModelModule {}
