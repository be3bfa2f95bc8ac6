export { nodeTerminal } from './node-terminal';
export { runCommand } from './run';
export type { Terminal } from './terminal';
