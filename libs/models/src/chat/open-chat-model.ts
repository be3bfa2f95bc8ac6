import type { ChatModel } from './chat-model';
import type { ChatObserver } from './chat-observer';
import { type ChatSettings, describeChat } from './chat-settings';
import type { ModelAccounts } from './model-accounts';
import { NoChatModel } from './no-chat-model';
import { OpenAiChatModel } from './openai-chat-model';

/** The chat model that a configuration names. @throws where the settings do not make up one */
export const openChatModel = (settings: ChatSettings, observer?: ChatObserver, accounts?: ModelAccounts): ChatModel => {
  const endpoint = describeChat(settings);
  return endpoint === null ? new NoChatModel() : new OpenAiChatModel(endpoint, { observer, accounts });
};
