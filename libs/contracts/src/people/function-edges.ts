import { call } from '../calls';
import { Empty } from '../empty';
import { Choice, Code, Int, ListOf, Moment, Text, TextList } from '../fields';
import { operationKinds, type OperationKind } from '../operation';
import { FunctionReference } from './function-reference';

/** An operation that a function uses, and its route. */
export class FunctionApi {
  @Code({ wire: 'codigo', description: 'Code of the operation' }) readonly code!: string;
  @Choice(operationKinds, { wire: 'tipo', description: 'Kind of the operation' }) readonly kind!: OperationKind;
  @Text({ wire: 'metodo', max: 10, description: 'HTTP method' }) readonly method!: string;
  @Text({ wire: 'ruta', max: 300, description: 'Path that it is served at' }) readonly path!: string;
}

export class FunctionApis {
  @ListOf(() => FunctionApi, { max: 1_000, description: 'Operations that the function uses, by code' })
  readonly items!: readonly FunctionApi[];
}

/** The result of updating the edges. */
class EdgeReport {
  @Int({ wire: 'apis', description: 'Edges that exist now' }) readonly edges!: number;
  @Int({ wire: 'nuevas', description: 'Edges that did not exist before' }) readonly added!: number;
  @Int({ wire: 'retiradas', description: 'Edges that no longer exist' }) readonly removed!: number;
  @TextList({
    wire: 'huerfanas',
    max: 1_000,
    length: 120,
    description: 'Published operations that no function uses, by code',
  })
  readonly orphans!: readonly string[];
  @Moment({ wire: 'fecha_sincronizacion', description: 'When this was done' }) readonly syncedAt!: string;
}

export class FunctionEdgeReport extends EdgeReport {
  @Code({ wire: 'codigo', description: 'Code of the function' }) readonly code!: string;
}

export class EdgeRebuildReport extends EdgeReport {
  @Int({ wire: 'funciones', description: 'Functions that were gone through' }) readonly functions!: number;
}

const asked = { owner: 'auth', scope: 'user', callers: ['auth'], reach: 'group' } as const;

/** Operations that a function uses: as stored by the last update of its edges, else the current ones. */
export const listFunctionApis = call({
  ...asked,
  effect: 'read',
  code: 'functions.list_apis',
  input: FunctionReference,
  output: FunctionApis,
});
/** Updates the edges of one function. Functions belong to all groups, so this requires a SYSTEM user. */
export const syncFunction = call({
  ...asked,
  effect: 'write',
  code: 'functions.sync',
  input: FunctionReference,
  output: FunctionEdgeReport,
});
/** Rebuilds the edges of all functions. Requires a SYSTEM user. */
export const syncAllFunctions = call({
  ...asked,
  effect: 'write',
  code: 'functions.sync_all',
  input: Empty,
  output: EdgeRebuildReport,
});
