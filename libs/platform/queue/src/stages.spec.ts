import type { WorkScope } from '@acervo/rbac';
import type { Lease } from './lease';
import { RunsStage, RunsStages, type Stage, stagesOf } from './stages';

const stage = (name: string): Stage => ({ name, batch: 1, leaseSeconds: 30, attempts: 1 });
const [ONE, TWO, THREE] = [stage('one'), stage('two'), stage('three')];

class Worker {
  readonly worked: string[] = [];

  @RunsStage(ONE)
  one(): Promise<void> {
    this.worked.push('one');
    return Promise.resolve();
  }

  @RunsStages([TWO, THREE])
  others(stageOfWork: Stage, _scope: WorkScope, leases: readonly Lease[]): Promise<void> {
    this.worked.push(`${stageOfWork.name} ${leases.length}`);
    return Promise.resolve();
  }
}

describe('the stages of providers', () => {
  it('a method works its stage, or each of its stages', async () => {
    const worker = new Worker();
    const stages = stagesOf([worker]);
    expect(stages.map((bound) => bound.stage)).toEqual([ONE, TWO, THREE]);
    for (const { work } of stages) await work({} as WorkScope, [{} as Lease], new AbortController().signal);
    expect(worker.worked).toEqual(['one', 'two 1', 'three 1']);
  });

  it('a stage that two methods work is refused', () => {
    expect(() => stagesOf([new Worker(), new Worker()])).toThrow('Stage one is worked by two methods.');
  });
});
