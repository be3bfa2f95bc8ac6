// The processes of an installation, with their kinds.
import { execFileSync } from 'node:child_process';

/** The processes that the root starts itself. A new child resembles its parent for a moment. */
const OWN_COMMANDS = [
  ['gateway', /apps\/gateway\/|gateway-app/],
  ['auth', /apps\/auth-service\/|auth-service-app/],
  ['ingestion', /apps\/ingestion-service\/|ingestion-service-app/],
  ['retrieval', /apps\/retrieval-service\/|retrieval-service-app/],
  ['operations', /apps\/operations-executor\/|operations-executor-app/],
  ['database', /pglite-server/],
];
const OTHERS = [['extraction', /reader-process/]];

const kindOf = (kinds, args) => kinds.find(([, pattern]) => pattern.test(args))?.[0] ?? 'other';

/** All processes below a root, including the root: id, parent and kind. */
export const treeOf = (root) => {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8', maxBuffer: 1e8 }).split('\n');
  const all = lines.flatMap((line) => {
    const [, pid, parent, state, args] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    const kind = Number(pid) === root ? 'root' : kindOf(Number(parent) === root ? OWN_COMMANDS : OTHERS, args);
    return [{ pid: Number(pid), parent: Number(parent), kind }];
  });
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid: parent } of found) found.push(...all.filter((each) => each.parent === parent));
  return found;
};
