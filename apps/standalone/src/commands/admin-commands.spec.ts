import { InternalFailure, listGroups } from '@acervo/contracts';
import { HASHING } from '@acervo/models';
import type { Calls } from '@acervo/platform-calls';
import type { ControlRequest } from '../supervisor/control';
import type { DataDirectory } from '../resources/data-directory';
import { FolderManagers } from '../folders/folder-managers';
import type { StartOptions } from './options';
import { plainScreen } from '../terminal/progress/screen';
import { executeStart, onlyAtStart, type AdminCommandDependencies } from './admin-commands';

const request: ControlRequest = { folder: null, status: false, retryFailed: false, acceptDeletions: false };
const running = { port: 8080, processes: false };

describe('options that only a start applies', () => {
  it.each([
    ['nothing of what a program that runs can do', { ...request, port: 9090, scanOnly: false, embedder: null }, []],
    ['an embedder', { ...request, embedder: 'e5' }, ['--embedder e5']],
    ['another port that was asked for', { ...request, port: 9090, portNamed: true }, ['--port 9090']],
    ['not the port that it has', { ...request, port: 8080, portNamed: true }, []],
    [
      'processes, and an end after a scan',
      { ...request, processes: true, scanOnly: true },
      ['--processes', '--scan-only'],
    ],
  ])('a start alone applies %s', (_what, asked, commands) => {
    expect(onlyAtStart(asked, running)).toEqual(commands);
  });
  it('a request for the options of the running program needs no start', () => {
    expect(onlyAtStart({ ...request, processes: true }, { ...running, processes: true })).toEqual([]);
  });
});

describe('admin commands of a start', () => {
  const nothing: StartOptions = {
    ...{ folder: null, sample: '', data: '', port: 0, processes: false, newKey: false },
    ...{ scanOnly: false, status: false, retryFailed: false, acceptDeletions: false },
  };

  it.each([
    ['no more than to run', nothing],
    ['to work again on what failed', { ...nothing, retryFailed: true }],
  ])('a start asked %s retries while the database is unavailable', async (_what, options) => {
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
    const folderManagers = new FolderManagers({ calls, directory, entityCode: 'E1', screen });
    const dependencies: AdminCommandDependencies = {
      calls,
      directory,
      folderManagers,
      screen,
      connection: () => {
        throw new Error('Nothing needs the database itself.');
      },
    };
    await expect(executeStart(dependencies, HASHING, options)).resolves.toBe(true);
    expect(asked).toBeGreaterThan(1);
    await folderManagers.close();
  });
});
