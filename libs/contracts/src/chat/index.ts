export * from './agent';
export * from './ask';
export * from './conversations';
export * from './earlier-chat';
