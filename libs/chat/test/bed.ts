import { ServiceTestBed, type TestBedOptions } from '@acervo/platform-test-bed';
import { ChatModule } from '../src/chat.module';
import { chatService } from '../src/chat.service-definition';

/** The whole service on a database of its own, for the specs beside its handlers, consumers and steps. */
export const openBed = (options: Partial<TestBedOptions> = {}): Promise<ServiceTestBed> =>
  ServiceTestBed.open({ service: chatService, module: ChatModule, ...options });
