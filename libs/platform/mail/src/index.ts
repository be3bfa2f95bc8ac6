export * from './file-mailer';
export * from './mailer';
