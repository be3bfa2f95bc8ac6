const { TestEnvironment } = require('jest-environment-node');

/** Values that suites share with later suites of the same worker, e.g. a database engine. */
const worker = { suites: 0, values: new Map(), onExit: (work) => process.once('exit', work) };

// Jest ends a worker that uses too much memory with a signal; the shared values must then end in order, too.
if (process.send !== undefined) process.once('SIGTERM', () => process.exit());

/** The realm of the worker's first suite. All suites share it, so that a package is evaluated once. */
let realm;

/** Removes what a suite and its test runner left on the global object and in the environment. */
const clear = ({ global, known, variables }) => {
  for (const key of Reflect.ownKeys(global)) if (!known.has(key)) Reflect.deleteProperty(global, key);
  const { env } = global.process;
  for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
  Object.assign(env, variables);
};

/** The Node environment of Jest, with one realm for all suites of a worker. */
module.exports = class WorkerEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    worker.suites += 1;
    if (realm === undefined) realm = this.becomeRealm();
    else clear(realm);
    Object.assign(this, realm.shared);
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
