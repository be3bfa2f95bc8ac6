// The root of an installation as a process of its own, so that it can be killed: tells its parent how to reach it.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('reflect-metadata');
const { startStandalone } = require('@acervo/standalone');

const { options, environment, roles } = JSON.parse(process.argv[2]);
process.once('disconnect', () => process.exit(1));
const running = await startStandalone(options, environment, (line) => process.send?.({ said: line }));
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)));
process.send?.({
  ready: {
    apiKey: running.apiKey,
    groupId: running.group.groupId,
    connections: Object.fromEntries(roles.map((role) => [role, running.connection(role)])),
  },
});
