import { InternalFailure, listGroups } from '@acervo/contracts';
import { HASHING } from '@acervo/models';
import type { Calls } from '@acervo/platform-calls';
import type { ControlRequest } from '../kernel/control';
import type { DataDirectory } from '../resources/data-directory';
import { FolderManagers } from '../folders/folder-managers';
import type { StartOptions } from '../kernel/options';
import { DirectView } from '../folders/watch/folder-view';
import { plainScreen } from '../terminal/progress/screen';
import { AdminCommandExecutor } from './admin-command-executor';
import { commandsOf, executeFirst, executeRequest, executeStart, onlyAtStart } from './execute-start';

const request: ControlRequest = { folder: null, acceptDeletions: false, commands: [] };
const running = { port: 8080, processes: false };

describe('options that only a start applies', () => {
  it.each([
    [
      'none of the options that a running program executes',
      { ...request, port: 9090, scanOnly: false, embedder: null },
      [],
    ],
    ['an embedder', { ...request, embedder: 'e5' }, ['--embedder e5']],
    ['another port on request', { ...request, port: 9090, portNamed: true }, ['--port 9090']],
    ['no port that the program has already', { ...request, port: 8080, portNamed: true }, []],
    [
      'processes, and an end after a scan',
      { ...request, processes: true, scanOnly: true },
      ['--processes', '--scan-only'],
    ],
  ])('only a new start applies %s', (_what, asked, commands) => {
    expect(onlyAtStart(asked, running)).toEqual(commands);
  });
  it('a request for the options of the running program needs no start', () => {
    expect(onlyAtStart({ ...request, processes: true }, { ...running, processes: true })).toEqual([]);
  });
});

/** What a test executes, and a record of its order. */
const recorded = (failing: readonly string[] = []) => {
  const did: string[] = [];
  const executor: Pick<AdminCommandExecutor, 'execute'> = {
    execute: (requested, { showKey }) => {
      did.push(...requested.map(({ name }) => name));
      if (requested.some(({ name }) => name === 'new-key')) showKey?.('acv_new');
      return Promise.resolve(!requested.some(({ name }) => failing.includes(name)));
    },
  };
  const note = (what: string) => () => {
    did.push(what);
    return Promise.resolve(true);
  };
  const folderManagers = {
    ...{ open: note('open'), ingestAgain: note('ingest again'), settle: () => Promise.resolve() },
    followChanges: () => void did.push('follow'),
  } as unknown as FolderManagers;
  return { did, executor, folderManagers, screen: plainScreen(() => undefined) };
};

const nothing: StartOptions = {
  ...{ folder: null, sample: '', data: '', port: 0, processes: false },
  ...{ scanOnly: false, acceptDeletions: false },
};

describe('the order of a start', () => {
  it('commands about people come first, and the welcome shows the new key', async () => {
    const { did, executor, screen } = recorded();
    const commands = [{ name: 'rebuild' }, { name: 'new-key' }, { name: 'admin-link' }] as const;
    const first = await executeFirst(executor, { group: { apiKey: null }, screen }, commands);
    expect([first, did]).toEqual([{ apiKey: 'acv_new', isDone: true }, ['new-key', 'admin-link']]);
  });
  it('a start executes its commands before it ingests folders', async () => {
    const { did, ...dependencies } = recorded();
    const commands = [{ name: 'new-key' }, { name: 'rebuild' }] as const;
    expect(await executeStart(dependencies, HASHING, { ...nothing, commands })).toBe(true);
    expect(did).toEqual(['rebuild', 'open']);
  });
  it('a brief start ingests nothing', async () => {
    const { did, ...dependencies } = recorded();
    const commands = [{ name: 'status' }, { name: 'retry-failed' }] as const;
    expect(await executeStart(dependencies, HASHING, { ...nothing, commands })).toBe(true);
    expect(did).toEqual(['retry-failed', 'status']);
  });
  it('a failed command fails the start, whose folders are ingested nevertheless', async () => {
    const { did, ...dependencies } = recorded(['rebuild']);
    expect(await executeStart(dependencies, HASHING, { ...nothing, commands: [{ name: 'rebuild' }] })).toBe(false);
    expect(did).toEqual(['rebuild', 'open']);
  });
  it.each([
    [false, undefined, []],
    [true, undefined, ['admin-link']],
    [true, 'a password', []],
  ])('a first start (%s) with the password %s adds the commands %j', (created, administratorPassword, names) => {
    const asked = [{ name: 'rebuild' }] as const;
    const commands = commandsOf({ commands: asked }, { created }, { administratorPassword });
    expect(commands.map(({ name }) => name)).toEqual([...names, 'rebuild']);
  });
  it('a first start makes one key and one link', () => {
    const commands = [{ name: 'new-key' }, { name: 'admin-link' }] as const;
    const environment = { administratorPassword: undefined };
    expect(commandsOf({ commands }, { created: true }, environment)).toEqual([{ name: 'admin-link' }]);
  });
});

describe('the order of a request to a running program', () => {
  it('folders are ingested after commands, and the status comes last', async () => {
    const { did, ...dependencies } = recorded();
    const commands = [{ name: 'status' }, { name: 'verify-audit' }, { name: 'new-key' }] as const;
    const asked = { folder: '/some/folder', acceptDeletions: false, commands };
    expect(await executeRequest(dependencies, asked, () => undefined)).toBe(true);
    expect(did).toEqual(['verify-audit', 'new-key', 'ingest again', 'follow', 'status']);
  });
  it('secrets of the caller reach the commands, beside their values', async () => {
    const { executor, ...dependencies } = recorded();
    const execute = jest.spyOn(executor, 'execute');
    const [commands, secrets] = [[{ name: 'explain', value: 'pump' }] as const, { key: 'k', passphrase: 'p' }];
    await executeRequest({ ...dependencies, executor }, { ...request, commands, ...secrets }, () => undefined);
    expect(execute).toHaveBeenCalledWith(commands, expect.objectContaining(secrets));
    execute.mockClear();
    await executeStart({ ...dependencies, executor }, HASHING, { ...nothing, commands, ...secrets });
    expect(execute).toHaveBeenCalledWith(commands, expect.objectContaining(secrets));
  });
  it.each([
    ['retry-failed', ['retry-failed', 'follow']],
    ['replay-dead', ['replay-dead']],
  ] as const)('the progress after --%s is shown if it leaves work: %j', async (name, expected) => {
    const { did, ...dependencies } = recorded();
    await executeRequest(dependencies, { ...request, commands: [{ name }] }, () => undefined);
    expect(did).toEqual(expected);
  });
});

describe('a start while the database is unavailable', () => {
  it.each([
    ['without a command', nothing],
    ['with --retry-failed', { ...nothing, commands: [{ name: 'retry-failed' }] } satisfies StartOptions],
  ])('a start %s retries', async (_what, options) => {
    let asked = 0;
    const calls = {
      send: (call: unknown) => {
        if (call !== listGroups) return Promise.reject(new Error('No group has anything to be asked.'));
        asked += 1;
        return asked === 1 ? Promise.reject(new InternalFailure('It is away.')) : Promise.resolve({ groups: [] });
      },
    } as unknown as Calls;
    const directory = { settle: () => undefined } as unknown as DataDirectory;
    const screen = plainScreen(() => undefined);
    const openView = (folder: string) => new DirectView(folder);
    const folderManagers = new FolderManagers({ calls, directory, entityCode: 'E1', openView, screen });
    const unused = (): never => {
      throw new Error('Nothing needs the service itself.');
    };
    const executor = new AdminCommandExecutor({
      ...{ calls, directory, folderManagers },
      ...{ connection: unused, environmentOf: unused },
    });
    await expect(executeStart({ executor, folderManagers, screen }, HASHING, options)).resolves.toBe(true);
    expect(asked).toBeGreaterThan(1);
    await folderManagers.close();
  });
});
