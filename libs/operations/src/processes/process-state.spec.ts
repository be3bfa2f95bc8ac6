import { InvalidMeaning } from '@acervo/contracts';
import { processStatus, type ProcessStatus } from '@acervo/public-mapping';
import { changedState, type ProcessState, type StateChange } from './process-state';
import { ProcessConflict } from './processes.errors';

const now = new Date('2026-11-26T10:00:00Z');
const earlier = new Date('2026-11-20T10:00:00Z');
const stateOf = (status: ProcessStatus): ProcessState => ({
  status,
  finishedAt: status === 'TERMINADO' ? earlier : null,
});
const changed = (from: ProcessStatus, change: StateChange): ProcessState => changedState(stateOf(from), change, now);

describe('the state of a process', () => {
  it.each<[ProcessStatus, StateChange, ProcessStatus, Date | null]>([
    ['ABIERTO', {}, 'ABIERTO', null],
    ['ABIERTO', { status: 'TERMINADO' }, 'TERMINADO', now],
    ['EN_ESPERA', { finishedAt: earlier }, 'TERMINADO', earlier],
    ['EN_CURSO', { status: 'TERMINADO', finishedAt: earlier }, 'TERMINADO', earlier],
    ['EN_CURSO', { finishedAt: null }, 'EN_CURSO', null],
    ['TERMINADO', {}, 'TERMINADO', earlier],
    ['TERMINADO', { status: 'TERMINADO' }, 'TERMINADO', earlier],
    ['TERMINADO', { finishedAt: now }, 'TERMINADO', now],
    ['TERMINADO', { finishedAt: null }, 'ABIERTO', null],
    ['TERMINADO', { status: 'EN_CURSO' }, 'EN_CURSO', null],
    ['CANCELADO', { status: 'ABIERTO' }, 'ABIERTO', null],
  ])('%s after %j is %s', (from, change, status, finishedAt) => {
    expect(changed(from, change)).toEqual({ status, finishedAt });
  });
  it.each<[ProcessStatus, ProcessStatus]>([
    ['TERMINADO', 'EN_ESPERA'],
    ['TERMINADO', 'CANCELADO'],
    ['CANCELADO', 'TERMINADO'],
    ['CANCELADO', 'EN_CURSO'],
  ])('%s does not become %s without being opened', (from, status) => {
    expect(() => changed(from, { status })).toThrow(ProcessConflict);
  });
  it('an end and a state that contradict each other are refused', () => {
    expect(() => changed('ABIERTO', { status: 'EN_CURSO', finishedAt: now })).toThrow(InvalidMeaning);
    expect(() => changed('ABIERTO', { status: 'TERMINADO', finishedAt: null })).toThrow(InvalidMeaning);
  });
  it('after any change that is accepted, a process has an end exactly if it is done', () => {
    for (const from of processStatus.internalCodes)
      for (const status of [undefined, ...processStatus.internalCodes])
        for (const finishedAt of [undefined, null, now])
          try {
            const after = changed(from, { status, finishedAt });
            expect(after.finishedAt !== null).toBe(after.status === 'TERMINADO');
          } catch (error) {
            expect([InvalidMeaning, ProcessConflict]).toContain((error as Error).constructor);
          }
  });
});
