export * from './file-mailer';
export * from './mailer';
export * from './mail-queue';
