export * from './main';
export * from './options';
export * from './start';
