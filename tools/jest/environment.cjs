const { TestEnvironment } = require('jest-environment-node');
const { childrenOf, end, endLeft, killAll, ownedBy } = require('./owned-processes.cjs');

const CONNECTED_MS = 1_000;

/** Values that suites share with later suites of the same worker, e.g. a database engine. */
const worker = { suites: 0, values: new Map(), onExit: (work) => process.once('exit', work) };

// Jest ends a worker that uses too much memory with a signal; the shared values must then end in order, too. Programs of
// suites lead process groups of their own, so that Ctrl-C does not reach them: the worker ends them, also where Jest is
// killed.
if (process.send === undefined) {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
} else {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit());
  // A listener of `disconnect` would keep the worker running after its last suite.
  setInterval(() => process.connected || process.exit(), CONNECTED_MS).unref();
}
worker.onExit(() => killAll(worker));

/** The realm of the worker's first suite. All suites share it, so that a package is evaluated once. */
let realm;

/** Removes what a suite and its test runner left on the global object and in the environment. */
const clear = ({ global, known, variables }) => {
  for (const key of Reflect.ownKeys(global)) if (!known.has(key)) Reflect.deleteProperty(global, key);
  const { env } = global.process;
  for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
  Object.assign(env, variables);
};

const leftError = (left) => {
  const error = new Error(`The suite left ${left.length} processes: ${left.join(', ')}`);
  error.stack = error.message;
  return error;
};

/** The Node environment of Jest, with one realm for all suites of a worker. */
module.exports = class WorkerEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    worker.suites += 1;
    this.children = new Set(childrenOf(worker));
    if (realm === undefined) realm = this.becomeRealm();
    else clear(realm);
    Object.assign(this, realm.shared);
  }

  /**
   * Ends the processes that a failed test started, so that the next test does not meet them. After the last hook, ends
   * those that the suite left, and fails the suite.
   */
  async handleTestEvent(event, state) {
    if (event.name === 'test_start') this.before = new Set(ownedBy(worker));
    if (event.name === 'test_done' && event.test.errors.length > 0) {
      await end(
        worker,
        ownedBy(worker).filter((each) => !this.before.has(each)),
      );
    }
    if (event.name === 'run_finish') {
      const left = await endLeft(worker, this.children);
      if (left.length > 0) state.unhandledErrors.push(leftError(left));
    }
  }

  async teardown() {
    this.fakeTimersModern.useRealTimers();
    this.moduleMocker.restoreAllMocks();
  }

  becomeRealm() {
    const { context, global, moduleMocker, fakeTimers, fakeTimersModern } = this;
    global[Symbol.for('acervo.worker')] = worker;
    return {
      shared: { context, global, moduleMocker, fakeTimers, fakeTimersModern },
      ...{ global, known: new Set(Reflect.ownKeys(global)), variables: { ...global.process.env } },
    };
  }
};
