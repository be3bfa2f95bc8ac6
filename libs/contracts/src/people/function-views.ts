import { call } from '../calls';
import { Code, Moment, Text, TextList } from '../fields';
import { FunctionReference } from './function-reference';

/** The view of a function: one SELECT over the relations that auth publishes. */
export class FunctionView {
  @Text({ wire: 'sentencia', max: 20_000, description: 'The statement, as written from its parse tree' })
  readonly statement!: string;
  @Moment({ wire: 'fecha_generacion', description: 'When the statement was generated' }) readonly generatedAt!: string;
  @Moment({
    wire: 'fecha_sincronizacion',
    nullable: true,
    description: 'When this statement was last applied; null until then',
  })
  readonly syncedAt!: string | null;
}

export class GeneratedFunctionView extends FunctionView {
  @Code({ wire: 'codigo', description: 'Code of the function' }) readonly code!: string;
}

export class SyncedFunctionView extends GeneratedFunctionView {
  @TextList({ wire: 'columnas', max: 100, length: 63, description: 'Names of the columns of its rows' })
  readonly columns!: readonly string[];
}

const asked = {
  owner: 'auth',
  scope: 'user',
  callers: ['auth'],
  reach: 'group',
  effect: 'write',
  input: FunctionReference,
} as const;

/** Writes the view of a function from its edges and stores its parse tree. Requires a SYSTEM user. */
export const generateFunctionView = call({
  ...asked,
  code: 'functions.generate_view',
  output: GeneratedFunctionView,
});

/**
 * Checks the stored view against the published relations, runs it without rows and dates it. Requires a SYSTEM user.
 * @throws Conflict where the function has no view, or one that no longer passes
 */
export const syncFunctionView = call({ ...asked, code: 'functions.sync_view', output: SyncedFunctionView });
