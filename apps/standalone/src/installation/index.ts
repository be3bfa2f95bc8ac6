export { runInstallation } from './run-installation';
