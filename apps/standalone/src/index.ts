export { DataDirectory } from './resources/data-directory';
export { type Handlers, publicDispatcher } from './installation/dispatcher';
export { environmentOf } from './installation/environment';
export * from './supervisor/program';
export * from './kernel/options';
export {
  configurationGuide,
  type InstalledService,
  installedServices,
  metricsGuide,
  settingNamesSource,
} from './kernel/service-list';
export * from './supervisor/start';
export type { Standalone } from './installation/run-installation';
