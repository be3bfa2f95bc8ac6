const { readdirSync, readFileSync } = require('node:fs');
const { setTimeout: pause } = require('node:timers/promises');

/** Name of the list in the values of a worker; `owned-processes.ts` of the test library adds to it. */
const OWNED = 'processes';
/** A program whose root was killed ends its other processes itself within five seconds; a busy machine needs longer. */
const ENDS_BY_ITSELF_MS = 15_000;
const POLL_MS = 100;

/** The processes of this worker that suites started. */
const ownedBy = ({ values }) => {
  if (!values.has(OWNED)) values.set(OWNED, []);
  return values.get(OWNED);
};

/** Process ids by process group, without processes that have ended and whose parent has not noticed. */
const groups = () => {
  const found = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [state, , group] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
      if (state !== 'Z' && state !== 'X') found.set(Number(group), [...(found.get(Number(group)) ?? []), Number(pid)]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
};

/** The running processes of each owned group; a system without /proc knows the first of each group only. */
const runningOf = (owned) => {
  try {
    const all = groups();
    return owned.map((each) => all.get(each.pid) ?? []);
  } catch {
    return owned.map(({ pid, hasEnded }) => (hasEnded() ? [] : [pid]));
  }
};

const isRunning = (owned) => runningOf([owned])[0].length > 0;

/** Ends a group at once. */
const kill = ({ pid, child }) => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
};

/** Waits until no process of these groups runs, for a limited time. */
const gone = async (owned) => {
  const limit = performance.now() + ENDS_BY_ITSELF_MS;
  while (owned.some(isRunning) && performance.now() < limit) await pause(POLL_MS);
};

/** Ends processes and waits for their end; returns a line for each that ran. */
const end = async (worker, owned) => {
  const running = owned.filter(isRunning);
  const lines = running.map((each) => `${each.kind} ${runningOf([each])[0].join(' ')}`);
  running.forEach(kill);
  await gone(running);
  const list = ownedBy(worker);
  for (const each of owned) if (list.includes(each)) list.splice(list.indexOf(each), 1);
  return lines;
};

/** Ends what a suite left running; returns what it was. */
const endLeft = async (worker) => {
  const owned = [...ownedBy(worker)];
  // Where the first process of a group has ended, the others end by themselves.
  await gone(owned.filter(({ hasEnded }) => hasEnded()));
  return end(worker, owned);
};

/** Ends everything at once, while the worker itself ends. */
const killAll = (worker) => ownedBy(worker).forEach(kill);

module.exports = { end, endLeft, killAll, ownedBy };
