import { InternalFailure, listGroups } from '@acervo/contracts';
import { HASHING } from '@acervo/models';
import type { Calls } from '@acervo/platform-calls';
import type { ControlRequest } from './control';
import type { DataDirectory } from './data-directory';
import { Desks } from './desks';
import type { StartOptions } from './options';
import { plainScreen } from './progress/screen';
import { carryOutStart, onlyAtStart, type WishParts } from './wishes';

const request: ControlRequest = { folder: null, status: false, retryFailed: false, acceptDeletions: false };
const running = { port: 8080, processes: false };

describe('what only a start can do', () => {
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
  ])('is %s', (_what, asked, wishes) => {
    expect(onlyAtStart(asked, running)).toEqual(wishes);
  });
  it('is not what the program was started with', () => {
    expect(onlyAtStart({ ...request, processes: true }, { ...running, processes: true })).toEqual([]);
  });
});

describe('what a start is asked for', () => {
  const nothing: StartOptions = {
    ...{ folder: null, sample: '', data: '', port: 0, processes: false, newKey: false },
    ...{ scanOnly: false, status: false, retryFailed: false, acceptDeletions: false },
  };

  it.each([
    ['no more than to run', nothing],
    ['to work again on what failed', { ...nothing, retryFailed: true }],
  ])('%s waits for a database that is away when it begins', async (_what, options) => {
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
    const desks = new Desks({ calls, directory, entityCode: 'E1', screen });
    const parts: WishParts = {
      calls,
      directory,
      desks,
      screen,
      connection: () => {
        throw new Error('Nothing needs the database itself.');
      },
    };
    await expect(carryOutStart(parts, HASHING, options)).resolves.toBe(true);
    expect(asked).toBeGreaterThan(1);
    await desks.close();
  });
});
