import {
  allOperations,
  type Call,
  deleteDocument,
  fieldsOf,
  getDocument,
  inputSchemaOf,
  jsonSchemaOf,
  listAreas,
  NotFound,
  ScopeClaims,
  screens,
} from '@acervo/contracts';
import { mayExecute, reaches, readsOneDocument, Scope } from '@acervo/rbac';
import { CONFIRMATION_NAMES } from './confirmation';
import { fixedTools } from './fixed-tools';
import { ToolCatalogue, toolNameOf } from './tool-catalogue';

const catalogue = new ToolCatalogue();
const caller = (over: Partial<ScopeClaims> = {}): Scope =>
  new Scope(Object.assign(new ScopeClaims(), { profile: 'ADMINISTRADOR', functions: screens, ...over }), 'token');

const namesOf = (scope: Scope, profile: 'user_chat' | 'support_chat' = 'user_chat'): string[] =>
  catalogue.list(scope, profile).map(({ listed }) => listed.publicName);
const everything = catalogue.list(caller(), 'user_chat').map(({ listed }) => listed);
const calls: readonly Call[] = [...fixedTools.map(({ call }) => call), ...allOperations()];

describe('the names of tools', () => {
  it('every operation has one stable name of its own', () => {
    const names = [...fixedTools.map(({ name }) => name), ...allOperations().map(toolNameOf)];
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z_]{0,63}$/);
    expect([getDocument, deleteDocument].map(toolNameOf)).toEqual(['documents_get', 'documents_delete']);
  });

  it('an operation with a fixed name is listed under it alone', () => {
    const names = everything.filter(({ operation }) => operation === getDocument.code);
    expect(names.map(({ publicName }) => publicName)).toEqual(['get_document']);
    const operations = everything.map(({ operation }) => operation);
    expect(new Set(operations).size).toBe(operations.length);
  });

  it('tools are sorted by name', () => {
    expect(namesOf(caller())).toEqual(namesOf(caller()).toSorted());
  });
});

describe('the schema of a tool', () => {
  it('the schema is that of the operation, with its summary', () => {
    const areas = everything.find(({ operation }) => operation === listAreas.code);
    const schema = { description: listAreas.summary, ...inputSchemaOf(listAreas.input, 'public') };
    expect(areas).toEqual({ operation: 'areas.list', publicName: 'areas_list', inputSchema: schema, readOnly: true });
  });

  it('a tool that needs a confirmation takes it beside the input', () => {
    const { inputSchema, readOnly } = everything.find(({ operation }) => operation === deleteDocument.code) ?? {};
    expect(readOnly).toBe(false);
    expect(inputSchema).toMatchObject({
      properties: {
        document_code: {},
        confirm: { type: ['boolean', 'null'] },
        preview_token: { type: ['string', 'null'] },
      },
      required: ['document_code'],
      additionalProperties: false,
    });
  });

  it.each(calls.map((call) => [call.code, call] as const))('%s leaves the names of tools free', (_code, call) => {
    const [input, output] = [call.input, call.output].map((type) =>
      fieldsOf(type).map(({ publicName }) => publicName ?? ''),
    );
    expect(input?.filter((name) => CONFIRMATION_NAMES.includes(name))).toEqual([]);
    expect(output?.filter((name) => ['truncated', 'omitted'].includes(name))).toEqual([]);
  });

  it.each(fixedTools.map((tool) => [tool.name, tool] as const))('%s takes the fields of its route', (_name, tool) => {
    const { input, output } = tool.call;
    const names = (representation: 'wire' | 'public'): string[] =>
      Object.keys(jsonSchemaOf(input, representation)['properties'] as object);
    expect(names('public')).toEqual(names('wire'));
    expect(() => jsonSchemaOf(output, 'public')).not.toThrow();
  });
});

describe('the tools of a caller', () => {
  const reader = caller({ profile: 'USUARIO', functions: ['CHAT-USER'] });

  it('every visible operation is a tool, and no other one', () => {
    for (const scope of [reader, caller(), caller({ profile: 'SISTEMA', functions: ['CHAT-USER'] })]) {
      const listed = new Set(catalogue.list(scope, 'user_chat').map((tool) => tool.listed.operation));
      const fixed = new Set(fixedTools.map(({ call }) => call.code));
      const isShown = (code: string): boolean => listed.has(code);
      for (const operation of allOperations().filter(({ code }) => !fixed.has(code)))
        expect([operation.code, isShown(operation.code)]).toEqual([operation.code, mayExecute(scope, operation)]);
      expect(isShown(getDocument.code)).toBe(reaches(scope, readsOneDocument));
    }
  });

  it('a tool with a fixed name needs what its route needs', () => {
    expect(namesOf(reader)).toEqual(expect.arrayContaining(['search_documents', 'list_spaces', 'list_locations']));
    expect(namesOf(reader)).not.toEqual(expect.arrayContaining(['list_documents']));
    expect(namesOf(caller({ profile: 'USUARIO', functions: ['DOCS_DASHBOARD'] }))).toContain('list_documents');
  });

  it('a withheld tool is not found, exactly as an absent one', () => {
    for (const name of ['documents_delete', 'get_document_edges', 'documents_get', 'nothing'])
      expect(() => catalogue.find(reader, 'user_chat', name)).toThrow(NotFound);
    for (const scope of [reader, caller()])
      expect(catalogue.find(scope, 'user_chat', 'get_document').listed.operation).toBe(getDocument.code);
  });

  it('support has help tools alone', () => {
    const help = ['describe_operation', 'get_function', 'list_operations'];
    for (const scope of [reader, caller()]) expect(namesOf(scope, 'support_chat')).toEqual(help);
    expect(() => catalogue.find(caller(), 'support_chat', 'search_documents')).toThrow(NotFound);
  });
});
