const { readdirSync, readFileSync } = require('node:fs');
const { setTimeout: pause } = require('node:timers/promises');

/** Name of the list in the values of a worker; `owned-processes.ts` of the test library adds to it. */
const OWNED = 'processes';
/** A program whose root was killed ends its other processes itself within five seconds; a busy machine needs longer. */
const ENDS_BY_ITSELF_MS = 15_000;
const POLL_MS = 100;
const COMMAND_CHARACTERS = 120;
/** Functions that return the process ids of engines which suites share. */
const LASTING = 'lasting processes';

/** The processes of this worker that suites started. */
const ownedBy = ({ values }) => {
  if (!values.has(OWNED)) values.set(OWNED, []);
  return values.get(OWNED);
};

/** All processes but those that have ended and whose parent has not noticed. @throws on a system without /proc */
const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [state, parent, group] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ');
        return 'ZX'.includes(state) ? [] : [{ pid: Number(name), parent: Number(parent), group: Number(group) }];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });

/** The running processes of an owned group; a system without /proc knows the first one only. */
const runningOf = ({ pid, hasEnded }) => {
  try {
    return processes().flatMap((each) => (each.group === pid ? [each.pid] : []));
  } catch {
    return hasEnded() ? [] : [pid];
  }
};

const isRunning = (owned) => runningOf(owned).length > 0;

/** The children of this process. Those that are meant to outlive a suite are lasting; none without /proc. */
const childrenOf = ({ values }) => {
  const lasting = (values.get(LASTING) ?? []).map((pidOf) => pidOf());
  try {
    return processes().flatMap(({ pid, parent }) => (parent === process.pid && !lasting.includes(pid) ? [pid] : []));
  } catch {
    return [];
  }
};

const commandOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim().slice(-COMMAND_CHARACTERS);
  } catch {
    return '';
  }
};

/** Ends a group at once. */
const kill = ({ pid, child }) => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
};

/** Waits until something is true, for a limited time. */
const wait = async (isTrue) => {
  const limit = performance.now() + ENDS_BY_ITSELF_MS;
  while (!isTrue() && performance.now() < limit) await pause(POLL_MS);
};

const gone = (owned) => wait(() => !owned.some(isRunning));

/** Ends processes and waits for their end; returns a line for each that ran. */
const end = async (worker, owned) => {
  const running = owned.filter(isRunning);
  const lines = running.map((each) => `${each.kind} ${runningOf(each).join(' ')}`);
  running.forEach(kill);
  await gone(running);
  const list = ownedBy(worker);
  for (const each of owned) if (list.includes(each)) list.splice(list.indexOf(each), 1);
  return lines;
};

/** Ends children that product code started in this process. */
const endChildren = async (worker, before) => {
  const left = () => childrenOf(worker).filter((pid) => !before.has(pid));
  await wait(() => left().length === 0);
  return left().map((pid) => {
    const line = `${pid} ${commandOf(pid)}`;
    process.kill(pid, 'SIGKILL');
    return line;
  });
};

/** Ends what a suite left running; returns what it was. @param before the children of this process before the suite */
const endLeft = async (worker, before) => {
  const owned = [...ownedBy(worker)];
  // Where the first process of a group has ended, the others end by themselves.
  await gone(owned.filter(({ hasEnded }) => hasEnded()));
  const lines = await end(worker, owned);
  return [...lines, ...(await endChildren(worker, before))];
};

/** Ends everything at once, while the worker itself ends. */
const killAll = (worker) => ownedBy(worker).forEach(kill);

module.exports = { childrenOf, end, endLeft, killAll, ownedBy };
