export { DataDirectory } from './data-directory';
export { type Handlers, publicDispatcher } from './dispatcher';
export { environmentOf } from './environment';
export * from './main';
export * from './options';
export { configurationGuide, type InstalledService, installedServices } from './service-list';
export * from './start';
