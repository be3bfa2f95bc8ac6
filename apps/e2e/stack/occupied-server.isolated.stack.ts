import { appRole, openPool, prepareServer } from '@acervo/platform-database';
import { describeOnStack, stackPassword, startTestServer, type TestServer } from '@acervo/platform-testing';
import { freePort, Program, temporary } from '../harness/program';
import { stackEnvironment } from '../harness/on-stack';

/** A role of services that run on the server; only they know its password. */
const ROLE = appRole('auth');

describeOnStack('a start on a server that other services use', ['postgres'], () => {
  const place = temporary();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
    await prepareServer(server.admin, { [ROLE]: 'of a deployment' });
  });
  afterAll(async () => {
    await prepareServer(server.admin, { [ROLE]: stackPassword(ROLE) });
    await server.stop();
    place.remove();
  });

  it('an occupied server is refused with advice and stays usable', async () => {
    const environment = await stackEnvironment(place.path);
    const program = Program.run({ folder: null, data: place.path, port: await freePort(), environment });
    expect(await program.ended).toBe(1);
    expect(program.printed).toMatch(
      /is in use by another installation: its roles \(auth_app\) .* Nothing was changed\./,
    );
    const pool = openPool({ ...server.connection(ROLE), password: 'of a deployment' });
    await pool.query('select 1');
    await pool.end();
  });
});
