import type { ControlRequest } from './control';
import { onlyAtStart } from './wishes';

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
