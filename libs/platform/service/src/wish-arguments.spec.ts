import { defineService } from './definition';
import { ServiceConfig } from './service-config';
import { helpOf, readArguments, UsageError } from './wish-arguments';

const service = defineService({
  name: 'chat',
  config: ServiceConfig,
  wishes: [
    { name: 'greet', takes: 'EMAIL', about: 'say hello', carryOut: () => Promise.resolve() },
    { name: 'count', about: 'count what there is', ofGroups: true, carryOut: () => Promise.resolve() },
  ],
  compose: () => ({ providers: [] }),
});
const read = (...argv: string[]) => readArguments(service, argv);

describe('the arguments of the program of a service', () => {
  it('are what was asked, in the order in which the service declares it, with what was said with it', () => {
    const { wishes, group, help } = read('--group', 'G1', '--replay-dead', '--count', '--greet=ana@example.test');
    expect(wishes.map(({ wish, value }) => [wish.name, value])).toEqual([
      ['greet', 'ana@example.test'],
      ['count', ''],
      ['replay-dead', ''],
    ]);
    expect([group, help]).toEqual(['G1', false]);
  });
  it('are nothing where the service is to run', () => {
    expect(read()).toEqual({ help: false, wishes: [], group: null });
  });
  it.each([
    [['--nonsense'], 'There is no argument --nonsense. "--help" lists what there is.'],
    [['count'], 'There is no argument count.'],
    [['--greet'], "Option '--greet <value>' argument missing."],
    [['--greet='], '--greet needs EMAIL.'],
    [['--count=5'], "Option '--count' does not take an argument."],
    [['--group', 'G1'], '--group chooses whom something else is for.'],
    [['--group', 'G1', '--replay-dead'], '--group chooses whom something else is for.'],
  ])('%j is refused, saying why', (argv, why) => {
    expect(() => read(...argv)).toThrow(UsageError);
    expect(() => read(...argv)).toThrow(why);
  });
  it('are listed by the help', () => {
    expect(helpOf(service)).toMatch(/--greet EMAIL +say hello\n +--count +count what there is\n +--replay-dead/);
    expect(helpOf(service)).toMatch(/--group CODE/);
    expect(read('--help').help).toBe(true);
  });
});
