import { type Call, describeFunction, type FunctionRecord, ScopeClaims } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { functionSummary } from '@acervo/public-mapping';
import { Scope } from '@acervo/rbac';
import { FunctionsHandlers } from './functions.handlers';
import { OperationCatalogue } from './operation-catalogue';

const scope = new Scope(Object.assign(new ScopeClaims(), { functions: ['DOCUMENTS'], profile: 'USUARIO' }), 'token');
const stored = { code: 'DOCUMENTS', name: 'Documentos', description: 'Consulta.', url: '/documentos', document: null };
const behaviour = { class: 'NAVEGACION', section: 'Uno', text: 'Abre.', operations: ['documents.list'] };

/** The handlers beside an auth that has one function with this summary. */
const handlersFor = (summary: string): FunctionsHandlers => {
  const send = ({ code }: Call): Promise<FunctionRecord> => {
    expect(code).toBe(describeFunction.code);
    return Promise.resolve({ ...stored, summary, behaviours: [behaviour] } as unknown as FunctionRecord);
  };
  return new FunctionsHandlers({ send } as unknown as Calls, new OperationCatalogue());
};

describe('the detail of a function', () => {
  it('shows no Spanish summary of the product', async () => {
    for (const summary of functionSummary.internalCodes) {
      const detail = await handlersFor(summary).get(scope, { functionCode: 'DOCUMENTS' });
      expect(functionSummary.publicCodes).toContain(detail.summary);
    }
  });

  it('shows a summary that a SYSTEM user wrote as it is', async () => {
    const detail = await handlersFor('Escrito aquí.').get(scope, { functionCode: 'DOCUMENTS' });
    expect(detail.summary).toBe('Escrito aquí.');
  });

  it('shows behaviours without the operations that they name', async () => {
    const { behaviors } = await handlersFor('').get(scope, { functionCode: 'DOCUMENTS' });
    expect(behaviors).toEqual([{ class: 'NAVEGACION', section: 'Uno', text: 'Abre.' }]);
  });
});
