import type { Rows } from '../isolation/fixture-rows';
import type { Names, State } from './state';

const TEXTS = { name: 'x', description: '' };
const MADE = { created_at: 'now', updated_at: 'now' };

/** The definitions of a state with their tasks, and processes that keep those. */
export const processRows = (state: State, names: Names): Rows[] => {
  const tasksOf = (definition: number): { code: string; position: number }[] =>
    Array.from({ length: state.definitions[definition]?.tasks ?? 0 }, (_, position) => ({
      code: `T${position}`,
      position: position + 1,
    }));
  const person = (place: number | null, id: string, code: string): Record<string, unknown> => {
    const user = place === null ? undefined : names.users[place % names.users.length];
    return { [id]: user?.id ?? null, [code]: user?.email ?? null };
  };
  const processes = state.processes.map((draft, index) => ({
    ...draft,
    code: names.processes[index] ?? '',
    definition: state.definitions.length === 0 ? null : draft.definition % state.definitions.length,
  }));
  return [
    {
      table: 'operations.group_process',
      rows: state.definitions.map((_, index) => ({
        ...{ code: names.definitions[index], ...TEXTS, priority: 'NORMAL', position: index + 1 },
        ...{ trigger_kind: 'A_MANO', version: 1, ...MADE },
      })),
    },
    {
      table: 'operations.group_task',
      rows: state.definitions.flatMap((_, index) =>
        tasksOf(index).map((task) => ({ process_code: names.definitions[index], ...task, ...TEXTS })),
      ),
    },
    {
      table: 'operations.process',
      rows: processes.map(({ code, definition, creator, assignee, isOver, hasDocument }, index) => ({
        ...{ code, position: index, type: 'GRUPO', subject: code, ...TEXTS, ...MADE },
        definition_code: definition === null ? null : names.definitions[definition],
        ...{ status: isOver ? 'CANCELADO' : 'ABIERTO', priority: 'NORMAL' },
        ...{ ...person(creator, 'created_by_id', 'created_by'), ...person(assignee, 'assigned_to_id', 'assigned_to') },
        document_code: hasDocument ? 'D1' : null,
      })),
    },
    {
      table: 'operations.process_task',
      rows: processes.flatMap(({ code, definition, isPending }) =>
        (definition === null ? [] : tasksOf(definition)).map((task) => ({
          ...{ process_code: code, ...task, ...TEXTS, status: isPending ? 'PENDIENTE' : 'HECHA' },
        })),
      ),
    },
  ];
};
