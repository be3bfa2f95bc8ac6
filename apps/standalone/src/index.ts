export { DataDirectory } from './resources/data-directory';
export { type Handlers, publicDispatcher } from './installation/dispatcher';
export { environmentOf } from './installation/environment';
export * from './supervisor/program';
export * from './commands/options';
export {
  configurationGuide,
  type InstalledService,
  installedServices,
  metricsGuide,
  settingNamesSource,
} from './installation/service-list';
export * from './supervisor/start';
export type { Standalone } from './installation/run-installation';
