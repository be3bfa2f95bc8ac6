export { DataDirectory } from './resources/data-directory';
export { type Handlers, publicDispatcher } from './supervisor/dispatcher';
export { environmentOf } from './supervisor/environment';
export * from './supervisor/program';
export * from './commands/options';
export { configurationGuide, type InstalledService, installedServices } from './supervisor/service-list';
export * from './supervisor/start';
