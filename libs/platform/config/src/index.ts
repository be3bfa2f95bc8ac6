export * from './base-config';
export * from './config.module';
export * from './program-environment';
export * from './reference';
export { SETTING_NAMES } from './setting-names';
export * from './settings';
export { TOOL_VARIABLES } from './tool-variables';
export * from './versioned-secret';
