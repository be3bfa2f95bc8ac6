import { EmbeddingConfig } from '@acervo/platform-service';
import { installedServices } from '../kernel/service-list';
import { plainScreen } from '../terminal/progress/screen';
import { type AdminCommandDependencies, AdminCommandExecutor } from './admin-command-executor';

describe('the admin commands of npm start', () => {
  const screen = plainScreen(() => undefined);
  let did: string[] = [];
  const folderManagers = {
    printStatus: () => Promise.resolve(void did.push('status')),
    rebuild: () => Promise.resolve(did.push('rebuild') === 0),
    allGroups: () => Promise.resolve([{ groupId: '1', code: 'G1', first: true }]),
  };
  const environmentOf = (service: string): Record<string, string> => ({ ACERVO_EMBEDDER: `e-${service}` });
  const executor = new AdminCommandExecutor({
    folderManagers,
    environmentOf,
    connection: () => {
      throw new Error('No command uses the database.');
    },
  } as unknown as AdminCommandDependencies);
  /** Replaces the implementation of a command in a service. */
  const implementing = (service: string, name: string) => {
    const command = installedServices
      .find((each) => each.name === service)
      ?.commands.find((each) => each.name === name);
    if (command === undefined) throw new Error(`${service} has no command ${name}.`);
    return jest.spyOn(command, 'execute');
  };

  beforeEach(() => (did = []));

  it('commands are executed in their declared order, also after a failed one', async () => {
    expect(await executor.execute([{ name: 'status' }, { name: 'rebuild' }], { screen })).toBe(false);
    expect(did).toEqual(['rebuild', 'status']);
  });
  it('a name that npm start does not offer is refused before any command', async () => {
    const requested = executor.execute([{ name: 'status' }, { name: 'provision', value: 'ana@example.org' }], {
      screen,
    });
    await expect(requested).rejects.toThrow(/has another version and no command --provision/);
    expect(did).toEqual([]);
  });
  it('a command of a service gets its settings, its value and the groups', async () => {
    const seen: unknown[] = [];
    implementing('auth', 'system-user').mockImplementation(async ({ service, config, cause, value, groups }) => {
      seen.push(service, config(EmbeddingConfig).embedder, cause, value, await groups.one());
    });
    expect(await executor.execute([{ name: 'system-user', value: 'ana@example.org' }], { screen })).toBe(true);
    const scope = { groupId: '1', service: 'standalone', cause: 'system-user' };
    expect(seen).toEqual(['auth', 'e-auth', 'system-user', 'ana@example.org', expect.objectContaining(scope)]);
  });
  it('a command of a service gets the scope of a group that it names', async () => {
    const seen: unknown[] = [];
    implementing('operations', 'plan').mockImplementation(async ({ groups }) => {
      seen.push(await groups.named('G1'));
      await groups.named('G2');
    });
    const executing = executor.execute([{ name: 'plan', value: 'G1=BASIC' }], { screen });
    await expect(executing).rejects.toThrow('There is no group G2');
    expect(seen).toEqual([expect.objectContaining({ groupId: '1', service: 'standalone', cause: 'plan' })]);
  });
  it('a failure that was printed returns false, an error ends the commands', async () => {
    const compare = implementing('ingestion', 'compare');
    compare.mockResolvedValueOnce(false);
    expect(await executor.execute([{ name: 'compare' }], { screen })).toBe(false);
    compare.mockRejectedValueOnce(new Error('It is away.'));
    await expect(executor.execute([{ name: 'compare' }, { name: 'status' }], { screen })).rejects.toThrow(
      'It is away.',
    );
    expect(did).toEqual([]);
  });
});
