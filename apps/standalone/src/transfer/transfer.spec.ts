import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXPORT_VERSION, type ExportedGroup, type ExportFile, readExport, secretsOf, writeExport } from './export-file';
import { fittingRows } from './fitting-rows';
import { parentsFirst } from './parents-first';

const content: ExportFile = {
  acervo: 'export',
  version: EXPORT_VERSION,
  createdAt: '2026-01-01T00:00:00.000Z',
  settings: { folders: ['/shelf'], embedder: null },
  groups: [{ groupId: 'g', code: 'G1', first: true, people: { app_user: [{ email: 'a@b' }] }, folders: {} }],
};
const pepper = 'a server key of an installation';

describe('the file of an export', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-export-'));
  const file = join(place, 'export.json');
  beforeEach(() => {
    rmSync(file, { force: true });
    rmSync(secretsOf(file), { force: true });
    writeExport(file, content, pepper);
  });
  afterAll(() => rmSync(place, { recursive: true }));

  it('an export is private, complete, and separate from its server key', () => {
    expect(readExport(file)).toEqual({ content, keyPepper: pepper });
    for (const path of [file, secretsOf(file)]) expect(statSync(path).mode & 0o077).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain(pepper);
  });
  it('an export never overwrites an existing file', () => {
    expect(() => writeExport(file, content, pepper)).toThrow(/is there already/);
  });
  it.each([
    ['no JSON', 'half a fi', /cannot be read as JSON/],
    ['something else', '{"acervo":"elsewhere"}', /is no export of Acervo/],
    ['of a newer version', JSON.stringify({ ...content, version: EXPORT_VERSION + 1 }), /made by a newer version/],
    ['without groups', JSON.stringify({ ...content, groups: undefined }), /is not whole/],
    [
      'with invalid spaces',
      JSON.stringify({ ...content, groups: [{ ...content.groups[0], spaces: { space: {} } }] }),
      /is not whole/,
    ],
    ['with an invalid group', JSON.stringify({ ...content, groups: [{ groupId: 'g' }] }), /is not whole/],
  ])('an export file that is %s is refused with the reason', (_what, text, reason) => {
    writeFileSync(file, text);
    expect(() => readExport(file)).toThrow(reason);
  });
  it('an export without its server key is refused with an explanation', () => {
    rmSync(secretsOf(file));
    expect(() => readExport(file)).toThrow(/no API key and no second factor would work/);
  });
});

describe('rows that refer to the other part of an export', () => {
  const group: ExportedGroup = {
    ...{ groupId: 'g', code: 'G1', first: true },
    people: {
      entity: [{ code: 'E1' }],
      area_location: [
        { area_code: 'A1', location_code: 'L1' },
        { area_code: 'A1', location_code: 'L9' },
        { area_code: 'A2', location_code: 'L2' },
      ],
    },
    folders: {
      counter: [{ name: 'location' }],
      location: [
        { code: 'L1', entity_code: 'E1' },
        { code: 'L2', entity_code: 'E2' },
      ],
      document: [
        { code: 'D1', entity_code: 'E1' },
        { code: 'D2', entity_code: 'E2' },
      ],
    },
  };
  it('folders without their entity, and links without folder, are left out', () => {
    const { group: fitting, leftOut } = fittingRows(group);
    expect(leftOut).toEqual({ rows: 4, spaces: 0, conversations: 0, processes: 0 });
    expect(fitting.people['area_location']).toEqual([{ area_code: 'A1', location_code: 'L1' }]);
    expect(fitting.folders).toEqual({
      counter: [{ name: 'location' }],
      location: [{ code: 'L1', entity_code: 'E1' }],
      document: [{ code: 'D1', entity_code: 'E1' }],
    });
  });
  it('document types without their entity, and what belongs to them, are left out', () => {
    const folders = {
      document: [{ document_id: 'd1', entity_code: 'E1' }],
      document_type: [
        { code: 'T1', entity_code: null },
        { code: 'T2', entity_code: 'E9' },
      ],
      type_example: [
        { type_code: 'T1', document_id: 'd1' },
        { type_code: 'T1', document_id: 'd9' },
        { type_code: 'T2', document_id: 'd1' },
      ],
      feature_category: [
        { code: 'C1', type_code: 'T1' },
        { code: 'C2', type_code: 'T2' },
      ],
      feature: [
        { category_code: 'C1', code: 'F' },
        { category_code: 'C2', code: 'F' },
      ],
    };
    const { group: fitting, leftOut } = fittingRows({ ...group, people: { entity: [{ code: 'E1' }] }, folders });
    expect(leftOut).toEqual({ rows: 5, spaces: 0, conversations: 0, processes: 0 });
    expect(Object.entries(fitting.folders).map(([table, rows]) => [table, rows.length])).toEqual([
      ['document', 1] as const,
      ['document_type', 1] as const,
      ['type_example', 1] as const,
      ['feature_category', 1] as const,
      ['feature', 1] as const,
    ]);
  });
  it('working sets of missing users are left out, shared spaces lose their owner', () => {
    const people = { entity: [{ code: 'E1' }], app_user: [{ user_id: 'u1' }] };
    const space = (space_id: number, type: string, owner_id: string, entity_code: string | null) => ({
      ...{ space_id, type, owner_id, entity_code },
    });
    const spaces = {
      space_counter: [{ value: 6 }],
      space: [
        space(1, 'AREA', 'u1', 'E1'),
        space(2, 'AREA', 'u9', null),
        space(3, 'ESPACIO', 'u1', null),
        space(4, 'ESPACIO', 'u9', null),
        space(5, 'ESPACIO', 'u1', 'E9'),
      ],
      space_member: [{ space_id: 1 }, { space_id: 2 }, { space_id: 5 }],
    };
    const { group: fitting, leftOut } = fittingRows({ ...group, people, folders: {}, spaces });
    expect(leftOut).toEqual({ rows: 0, spaces: 2, conversations: 0, processes: 0 });
    expect(fitting.spaces).toEqual({
      space_counter: [{ value: 6 }],
      space: [spaces.space[0], spaces.space[2], { ...spaces.space[3], owner_id: null }],
      space_member: [{ space_id: 1 }],
    });
  });
  it('conversations of missing users are left out with what they contain', () => {
    const people = { app_user: [{ user_id: 'u1' }] };
    const of = (conversation_id: number) => ({
      conversation: { conversation_id, user_id: `u${conversation_id}` },
      message: { message_id: 10 + conversation_id, conversation_id },
      citation: { message_id: 10 + conversation_id, number: 1 },
      support_request: { code: `S${conversation_id}`, conversation_id },
    });
    const rowsOf = (...each: ReturnType<typeof of>[]) => ({
      counter: [{ name: 'message', value: 20 }],
      conversation: each.map(({ conversation }) => conversation),
      message: each.map(({ message }) => message),
      citation: each.map(({ citation }) => citation),
      support_request: each.map(({ support_request }) => support_request),
    });
    const { group: fitting, leftOut } = fittingRows({
      ...group,
      people,
      folders: {},
      conversations: rowsOf(of(1), of(2)),
    });
    expect(leftOut).toEqual({ rows: 0, spaces: 0, conversations: 1, processes: 0 });
    expect(fitting.conversations).toEqual(rowsOf(of(1)));
  });
  it('processes of missing users or entities are left out with their tasks, and work of missing users is released', () => {
    const people = { entity: [{ code: 'E1' }], app_user: [{ user_id: 'u1' }] };
    const processOf = (code: string, created_by_id: string | null, entity_code: string | null) => ({
      ...{ code, created_by_id, entity_code, assigned_to_id: 'u2', assigned_to: 'ana@example.test' },
    });
    const processes = {
      group_process: [{ code: 'D', assignee_id: 'u1', assignee: 'luis@example.test' }],
      process: [processOf('P1', 'u1', null), processOf('P2', 'u2', null), processOf('P3', null, 'E2')],
      process_task: ['P1', 'P2', 'P3'].map((process_code) => ({ process_code, code: 'T' })),
    };
    const { group: fitting, leftOut } = fittingRows({ ...group, people, folders: {}, processes });
    expect(leftOut).toEqual({ rows: 0, spaces: 0, conversations: 0, processes: 2 });
    expect(fitting.processes).toEqual({
      group_process: processes.group_process,
      process: [{ ...processOf('P1', 'u1', null), assigned_to_id: null, assigned_to: null }],
      process_task: [{ process_code: 'P1', code: 'T' }],
    });
  });
  it('a group whose parts fit stays unchanged', () => {
    const { group: whole } = fittingRows(group);
    expect(fittingRows(whole)).toEqual({
      group: whole,
      leftOut: { rows: 0, spaces: 0, conversations: 0, processes: 0 },
    });
  });
});

describe('rows of a tree', () => {
  it('rows of a tree follow their parents, and none is lost', () => {
    const rows = [
      { code: 'c', parent_code: 'b' },
      { code: 'b', parent_code: 'a' },
      { code: 'a', parent_code: null },
      { code: 'z', parent_code: 'gone' },
    ];
    expect(parentsFirst('area', rows).map(({ code }) => code)).toEqual(['a', 'z', 'b', 'c']);
  });
  it('rows of other tables keep their order', () => {
    expect(parentsFirst('entity', [{ code: 'b' }, { code: 'a' }])).toEqual([{ code: 'b' }, { code: 'a' }]);
  });
});
