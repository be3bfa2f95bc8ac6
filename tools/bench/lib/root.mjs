// The root of an installation as its own process, so that it can be killed. It sends its address to its parent.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('reflect-metadata');
const { startStandalone } = require('@acervo/standalone');

const { options, environment, roles } = JSON.parse(process.argv[2]);
process.once('disconnect', () => process.exit(1));
const running = await startStandalone(options, environment, (line) => process.send?.({ printed: line }));
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)));
process.send?.({
  ready: {
    apiKey: running.apiKey,
    groupId: running.group.groupId,
    connections: Object.fromEntries(roles.map((role) => [role, running.connection(role)])),
  },
});
