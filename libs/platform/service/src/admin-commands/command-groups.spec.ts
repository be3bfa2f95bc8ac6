import type { Calls } from '@acervo/platform-calls';
import { OperatorGroups } from './command-groups';

const both = [
  { groupId: '1', code: 'G1', first: true },
  { groupId: '2', code: 'G2', first: false },
];

describe('the groups of an admin command to a service', () => {
  const groupsOf = (group: string | null, printed: string[] = [], groups: readonly object[] = both): OperatorGroups =>
    new OperatorGroups({
      calls: { send: () => Promise.resolve({ groups }) } as unknown as Calls,
      ...{ cause: 'compare', group, print: (line) => void printed.push(line) },
    });

  it('a command without --group covers all groups, its lines below their codes', async () => {
    const printed: string[] = [];
    const isDone = await groupsOf(null, printed).each(({ groupId, service, cause }, print) => {
      print(`  ${groupId} ${service} ${cause}`);
      return Promise.resolve();
    });
    expect([isDone, printed]).toEqual([true, ['G1: 1 operator compare', 'G2: 2 operator compare']]);
  });
  it.each([
    ['an error', () => Promise.reject(new Error('It is away.')), ['G1: It is away.']],
    ['a printed failure', () => Promise.resolve(false), []],
  ])('%s in one group fails the command after all groups', async (_what, fail, expected) => {
    const printed: string[] = [];
    const seen: string[] = [];
    const work = ({ groupId }: { readonly groupId: string }): Promise<boolean> => {
      seen.push(groupId);
      return groupId === '1' ? fail() : Promise.resolve(true);
    };
    await expect(groupsOf(null, printed).each(work)).rejects.toThrow('--compare failed for G1; see above.');
    expect([seen, printed]).toEqual([['1', '2'], expected]);
  });
  it('a command for one group uses the named one, else the first', async () => {
    expect((await groupsOf('G2').one()).groupId).toBe('2');
    expect((await groupsOf(null).one()).groupId).toBe('1');
    await expect(groupsOf('G3').one()).rejects.toThrow('There is no group G3');
    await expect(groupsOf(null, [], [both[1] ?? {}]).one()).rejects.toThrow('There is no first group.');
    await expect(groupsOf(null, [], []).one()).rejects.toThrow('There is no group yet.');
  });
  it('a command that names a group gets the scope of that group', async () => {
    expect(await groupsOf(null).named('G2')).toMatchObject({ groupId: '2', service: 'operator', cause: 'compare' });
    await expect(groupsOf(null).named('G3')).rejects.toThrow('There is no group G3; check its code.');
    await expect(groupsOf(null, [], []).named('G2')).rejects.toThrow('There is no group yet.');
  });
});
