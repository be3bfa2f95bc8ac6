export { ChatModule } from './chat.module';
export { chatService } from './chat.service-definition';
