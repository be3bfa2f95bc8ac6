// How long the transactions of refreshes of spaces last, by the clock of the engine.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const LASTED = 'select extract(epoch from clock_timestamp() - now())::float8 * 1000 as ms';

/**
 * Observes the transactions of the services in this process until `end`. A transaction lasts from `begin` to its commit,
 * waiting for its turn left out. Those of the tasks of refreshes are listed beside all others.
 */
export const observeTransactions = () => {
  const { Database } = require('@acervo/platform-database');
  const { RefreshSpaceStage } = require('../../../libs/retrieval/dist/spaces/refresh-space.stage.js');
  const inRefresh = new AsyncLocalStorage();
  const lasted = { refresh: [], others: [] };
  const { transaction } = Database.prototype;
  const { run } = RefreshSpaceStage.prototype;
  Database.prototype.transaction = async function observed(mode, work, patience) {
    if (mode.access === 'read only') return transaction.call(this, mode, work, patience);
    let [ms, worked] = [0, 0];
    const result = await transaction.call(
      this,
      mode,
      async (tx) => {
        const done = await work(tx);
        [{ ms }] = await tx.query(LASTED);
        worked = performance.now();
        return done;
      },
      patience,
    );
    lasted[inRefresh.getStore() === true ? 'refresh' : 'others'].push(ms + performance.now() - worked);
    return result;
  };
  RefreshSpaceStage.prototype.run = function observed(...args) {
    return inRefresh.run(true, () => run.apply(this, args));
  };
  const end = () => {
    Database.prototype.transaction = transaction;
    RefreshSpaceStage.prototype.run = run;
  };
  /** The times since the last call. */
  const taken = () => {
    const { refresh, others } = lasted;
    Object.assign(lasted, { refresh: [], others: [] });
    return { refresh, others };
  };
  return { taken, end };
};
