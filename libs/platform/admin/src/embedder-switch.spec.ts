import type { Call } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { WorkScope } from '@acervo/rbac';
import { followSwitch } from './embedder-switch';

const scopeOf = (digit: string): WorkScope =>
  new WorkScope(`${digit.repeat(8)}-1111-4111-8111-111111111111`, 'standalone', 'test');
const [first, second] = [scopeOf('1'), scopeOf('2')];

/** Calls of two groups of three documents: the first is ready at once, the second after `looks` looks. */
const callsOf = (looks: number): { readonly calls: Calls; looked(): number } => {
  let looked = 0;
  const stateOf = (settled: boolean) => ({ live: [{}], settled, documents: 3, built: settled ? 3 : 1 });
  const send = ({ code }: Call, scope: WorkScope): Promise<unknown> => {
    if (code === 'embedding.build') return Promise.resolve({ documents: 0 });
    if (scope.groupId === first.groupId) return Promise.resolve(stateOf(true));
    if (code === 'embedding.state') looked += 1;
    return Promise.resolve(stateOf(looked >= looks));
  };
  return { calls: { send } as unknown as Calls, looked: () => looked };
};

describe('an embedder switch', () => {
  it('a switch ends with one message when the last group is searched', async () => {
    const { calls, looked } = callsOf(2);
    const printed: string[] = [];
    const parts = { calls, scopes: [first, second], name: 'e5', runs: true, stopped: () => false };
    expect(await followSwitch({ ...parts, print: (line) => void printed.push(line) })).toBe(true);
    expect(looked()).toBe(2);
    expect(printed).toEqual([
      'Changing to the embedder e5: 1 of 3 documents are ready; searches use the one before until all are.',
      'Searches use the embedder e5 from now on.',
    ]);
  });
  it('a switch that has ended before the start is reported if it was announced', async () => {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const parts = { calls: callsOf(0).calls, scopes: [first, second], name: 'e5', runs: true, stopped: () => false };
    expect(await followSwitch({ ...parts, print })).toBe(true);
    expect(printed).toEqual([]);
    expect(await followSwitch({ ...parts, announced: true, print })).toBe(true);
    expect(printed).toEqual(['Searches use the embedder e5 from now on.']);
  });
  it('a stopped program or an unavailable embedder leaves the switch unfinished', async () => {
    const parts = { scopes: [first, second], name: 'e5', print: () => undefined };
    const { calls } = callsOf(1);
    expect(await followSwitch({ ...parts, calls, runs: false, stopped: () => false })).toBe(false);
    expect(await followSwitch({ ...parts, calls: callsOf(9).calls, runs: true, stopped: () => true })).toBe(false);
  });
});
