import { lost, of, type PreviewCase, type Row } from './evidence';

/** Every second one; the others are there for the next deletions. */
const second = <T>(list: readonly T[]): readonly T[] => list.filter((_, index) => index % 2 === 0);

const isTaskOf =
  (processCode: unknown, taskCode: unknown) =>
  (row: Row): boolean =>
    row['process_code'] === processCode && row['code'] === taskCode;

export const groupTaskDeletion: PreviewCase = {
  inputs: (state, { definitions }) =>
    second(definitions).flatMap((process_code, place) =>
      (state.definitions[2 * place]?.tasks ?? 0) > 0 ? [{ process_code, task_code: 'T0' }] : [],
    ),
  done: (outcome) => {
    const { input, after } = outcome;
    const isGone = lost(outcome, 'operations.group_task', isTaskOf(input['process_code'], input['task_code'])) === 1;
    const open = after['operations.process'].filter(
      (row) => row['definition_code'] === input['process_code'] && row['status'] === 'ABIERTO',
    );
    const pending = after['operations.process_task'].filter(
      (row) =>
        row['code'] === input['task_code'] &&
        row['status'] === 'PENDIENTE' &&
        open.some(({ code }) => code === row['process_code']),
    );
    return { ...input, pending_processes: isGone ? pending.length : -1 };
  },
};

export const groupProcessDeletion: PreviewCase = {
  inputs: (_state, { definitions }) => second(definitions).map((process_code) => ({ process_code })),
  done: (outcome) => {
    const { input, after } = outcome;
    const isGone = lost(outcome, 'operations.group_process', of('code', input['process_code'])) === 1;
    return {
      ...input,
      tasks: lost(outcome, 'operations.group_task', of('process_code', input['process_code'])),
      processes: isGone ? after['operations.process'].filter(of('definition_code', input['process_code'])).length : -1,
    };
  },
};

export const processDeletion: PreviewCase = {
  inputs: (_state, { processes }) => second(processes).map((process_code) => ({ process_code })),
  done: (outcome) => {
    const { input } = outcome;
    const isOwn = of('code', input['process_code']);
    return {
      ...input,
      tasks: lost(outcome, 'operations.process_task', of('process_code', input['process_code'])),
      documents: lost(outcome, 'operations.process', (row) => isOwn(row) && row['document_code'] !== null),
    };
  },
};
