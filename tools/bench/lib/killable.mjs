// An installation of several processes that a bench may kill. It restarts when its root ends.
import { fileURLToPath } from 'node:url';
import { Program, Tables } from '@acervo/e2e/harness';

const entry = fileURLToPath(new URL('./root.mjs', import.meta.url));
const ROLES = ['ingestion_app', 'retrieval_app'];

export class Killable {
  /** Called at the end of the root; returns the failpoints of its next life. */
  onRootEnd = () => undefined;

  /**
   * @param request the request of the harness, with variables of the start in `environment`
   * @param roles database roles whose connections are reported
   */
  constructor({ environment = {}, ...request }, roles = ROLES) {
    Object.assign(this, { environment, roles });
    this.request = { ...request, processes: true, commands: [{ name: 'new-key' }], entry, answersWithinMs: 20_000 };
  }

  /** Starts the root and waits until it serves; a root that ends earlier is started again. */
  async start(failpoint) {
    const environment = {
      ACERVO_LOG_LEVEL: 'warn',
      ...this.environment,
      ...(failpoint ? { ACERVO_FAILPOINT: failpoint } : {}),
    };
    const program = Program.run({ ...this.request, roles: this.roles, environment });
    this.program = program;
    const report = await program.reported();
    if (report === undefined) return this.start(this.onRootEnd());
    program.key = report.key;
    await this.tables?.close();
    this.connections = report.connections;
    this.groupId = report.groupId;
    this.tables = new Tables((role) => report.connections[role], report.groupId);
    void program.ended.then(() => this.ended(program));
  }

  ended(program) {
    if (this.stopping || this.program !== program) return;
    this.restarting = this.start(this.onRootEnd());
  }

  /** The current processes of the installation. */
  get tree() {
    return this.program.tree;
  }

  rows(service, sql, params) {
    return this.tables.rows(`${service}_app`, sql, params);
  }

  /** The best document of a search. */
  async first(query) {
    return (await this.program.search(query, { limit: 1 }))[0];
  }

  async stop() {
    this.stopping = true;
    await this.restarting;
    await this.tables?.close();
    await this.program.stop();
  }
}
