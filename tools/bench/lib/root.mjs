// The root of an installation as a process of its own, so that it can be killed. It reports what reads its tables.
import { Installation } from '@acervo/e2e/harness';

const { roles, ...request } = JSON.parse(process.argv[2]);
process.once('disconnect', () => process.exit(1));
const print = (line) => process.stdout.write(`${line}\n`);
const installation = await Installation.start({ ...request, environment: process.env, print });
process.once('SIGINT', () => void installation.stop().then(() => process.exit(0)));
const { running, key, scope } = installation;
process.send?.({
  key,
  groupId: scope.groupId,
  connections: Object.fromEntries(roles.map((role) => [role, running.connection(role)])),
});
