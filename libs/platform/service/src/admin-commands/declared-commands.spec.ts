import { services } from '@acervo/contracts';
import { adminCommand, orNothing } from './admin-commands';
import { type AdminCommandDeclaration, declarationOf, declaredCommands, offerOf } from './declared-commands';

const FIELDS = ['about', 'takes', 'default', 'services', 'ofGroups', 'nothing', 'start'];
const OFFER_FIELDS = ['heading', 'isBrief', 'isAnswer', 'runs', 'startsWork'];

/** What is wrong with a declaration. */
const problemsOf = (name: string, declaration: AdminCommandDeclaration): string[] => {
  const { about, takes = '', default: otherwise, services: by = [], ofGroups = false, start } = declaration;
  const isOptional = takes.startsWith('[');
  const problems: readonly (readonly [boolean, string])[] = [
    [!/^[a-z][a-z-]+$/.test(name), 'a name is in lower case, without the dashes before it'],
    [!/^[a-z].*[^.]$/.test(about), '"about" begins in lower case and ends without a stop'],
    [isOptional !== (otherwise !== undefined), 'a value in brackets needs "default", and no other has it'],
    [isOptional && by.length > 0, 'the program of a service takes no value in brackets'],
    [by.length === 0 && start === undefined, 'no front end offers it: it needs "services" or "start"'],
    [by !== 'every' && by.some((each) => !services.includes(each)), '"services" are "every" or names of services'],
    [ofGroups && by.length === 0, '"ofGroups" is for the programs of services'],
    [start !== undefined && !['Documents', 'Upkeep', 'People'].includes(start.heading), 'the heading is unknown'],
    [!['first', undefined, 'last'].includes(start?.runs), '"runs" is "first", "last" or absent'],
    [Object.keys(declaration).some((field) => !FIELDS.includes(field)), `its fields are ${FIELDS.join(', ')}`],
    [
      Object.keys(start ?? {}).some((field) => !OFFER_FIELDS.includes(field)),
      `the fields of "start" are ${OFFER_FIELDS.join(', ')}`,
    ],
  ];
  return problems.filter(([isWrong]) => isWrong).map(([, why]) => `${name}: ${why}.`);
};

describe('the declarations of admin commands', () => {
  it('every declaration is complete', () => {
    expect(Object.entries(declaredCommands).flatMap(([name, each]) => problemsOf(name, each))).toEqual([]);
  });
  it('an incomplete declaration is reported', () => {
    const wrong = { about: 'Ends.', takes: '[FILE]', ofGroups: true, starts: {} } as AdminCommandDeclaration;
    expect(problemsOf('Wrong', wrong)).toHaveLength(6);
  });
  it('an unknown name has no declaration', () => {
    expect([declarationOf('toString'), offerOf({ name: 'provision' })]).toEqual([undefined, undefined]);
    expect(declarationOf('status')?.start?.isBrief).toBe(true);
  });
  it('an implementation carries its declaration', () => {
    const command = adminCommand('system-user', () => Promise.resolve());
    expect(command).toMatchObject({ name: 'system-user', takes: 'EMAIL', services: ['auth'], ofGroups: true });
  });
  it.each([
    [[], ['None.']],
    [['one'], ['one']],
  ])('a command that printed %j shows %j', async (lines, shown) => {
    const printed: string[] = [];
    const work = (print: (line: string) => void): Promise<boolean> => {
      lines.forEach(print);
      return Promise.resolve(true);
    };
    const isDone = await orNothing({ about: 'x', nothing: 'None.' }, (line) => void printed.push(line), work);
    expect([isDone, printed]).toEqual([true, shown]);
  });
});
