import { type ChatCompletion, ChatModel, type ChatPart } from './chat-model';
import { ChatModelFailure } from './chat.errors';

/** Stands where no chat model is configured: it offers no model and says what to set. */
export class NoChatModel extends ChatModel {
  readonly models = [];

  complete(): Promise<ChatCompletion> {
    return Promise.reject(new ChatModelFailure('NOT_CONFIGURED'));
  }

  stream(): AsyncIterable<ChatPart> {
    return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new ChatModelFailure('NOT_CONFIGURED')) }) };
  }
}
