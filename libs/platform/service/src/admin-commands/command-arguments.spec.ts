import type { ServiceDefinition } from '../service';
import { helpOf, readArguments, UsageError } from './command-arguments';

const service: ServiceDefinition = {
  name: 'chat',
  config: [],
  commands: [
    { name: 'greet', takes: 'EMAIL', about: 'say hello', execute: () => Promise.resolve() },
    { name: 'count', about: 'count what there is', ofGroups: true, execute: () => Promise.resolve() },
  ],
};
const read = (...argv: string[]) => readArguments(service, argv);

describe('the arguments of the program of a service', () => {
  it('admin commands are parsed in declared order, with their values', () => {
    const { commands, group, help } = read('--group', 'G1', '--replay-dead', '--count', '--greet=ana@example.test');
    expect(commands.map(({ command, value }) => [command.name, value])).toEqual([
      ['greet', 'ana@example.test'],
      ['count', ''],
      ['replay-dead', ''],
    ]);
    expect([group, help]).toEqual(['G1', false]);
  });
  it('no arguments run the service', () => {
    expect(read()).toEqual({ help: false, commands: [], group: null });
  });
  it.each([
    [['--nonsense'], 'There is no argument --nonsense. "--help" lists all options.'],
    [['count'], 'There is no argument count.'],
    [['--greet'], "Option '--greet <value>' argument missing."],
    [['--greet='], '--greet needs EMAIL.'],
    [['--count=5'], "Option '--count' does not take an argument."],
    [['--group', 'G1'], '--group names the group of another command; add that command.'],
    [['--group', 'G1', '--replay-dead'], '--group names the group of another command; add that command.'],
  ])('the arguments %j are refused with the reason', (argv, why) => {
    expect(() => read(...argv)).toThrow(UsageError);
    expect(() => read(...argv)).toThrow(why);
  });
  it('the help lists every admin command', () => {
    expect(helpOf(service)).toMatch(/--greet EMAIL +say hello\n +--count +count what there is\n +--replay-dead/);
    expect(helpOf(service)).toMatch(/--group CODE/);
    expect(read('--help').help).toBe(true);
  });
});
