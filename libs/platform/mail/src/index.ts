export * from './file-mailer';
export * from './mailer';
export * from './post';
export * from './smtp-mailer';
