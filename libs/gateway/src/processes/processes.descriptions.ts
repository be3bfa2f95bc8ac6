import type { RouteDescription } from '@acervo/platform-http';

const task = {
  code: 'SIGN',
  name: 'Firmar',
  description: 'Firma del arrendador.',
  status: 'PENDING',
  role_code: null,
  assignee: 'ana@example.test',
  finished_at: null,
};

const process = {
  code: 'P12',
  name: 'Renovar el contrato de riego',
  description: 'Vence en diciembre.',
  process_type: 'GROUP',
  category: 'contratos',
  status: 'IN_PROGRESS',
  priority: 'HIGH',
  comments: null,
  created_by: null,
  assigned_to: 'ana@example.test',
  entity_code: 'E1',
  document_code: 'D10003',
  due_at: '2026-12-10T00:00:00.000Z',
  finished_at: null,
  cost: null,
  tasks: [task],
  created_at: '2026-11-26T02:56:00.040Z',
  updated_at: '2026-11-26T09:12:41.310Z',
};

export const listsProcesses: RouteDescription = {
  summary: 'List processes',
  description:
    'Processes that the caller started or works on; administrators see all within their reach. The most urgent come first, of these the first due. `mine` keeps those that the caller started or works on, `only_open` those that are neither finished nor cancelled.',
  example: { answer: { processes: [process], total: 1, page: 1, limit: 20 } },
};

export const showsProcess: RouteDescription = {
  summary: 'Show a process with its tasks',
  description: 'A process that the caller does not see is not found, as one that does not exist.',
  example: { parameters: { process_code: 'P12' }, answer: process },
};

export const changesProcess: RouteDescription = {
  summary: 'Change a process',
  description:
    'Writes the fields that are sent; null clears `assigned_to`, `due_at`, `finished_at`, `cost` and `comments`. A process that is DONE has `finished_at`, and no other one has: either sets the other. A finished process is opened again before it gets another state; a state that does not follow answers 409. An assignee outside of the group or of the entity is not found.',
  example: {
    parameters: { process_code: 'P12' },
    request: { status: 'DONE', comments: 'Firmado por ambas partes.' },
    answer: {
      ...process,
      status: 'DONE',
      comments: 'Firmado por ambas partes.',
      finished_at: '2026-11-26T09:30:00.000Z',
    },
  },
  errors: ['NOT_FOUND', 'CONFLICT'],
};
