import type { Profile } from '@acervo/public-mapping';
import { allCalls, type Call, register } from './calls';
import type { Screen } from './screens';
import type { CallerName } from './services';

export const operationKinds = ['read', 'write', 'write_confirm'] as const;
export type OperationKind = (typeof operationKinds)[number];

type UserCall<I extends object = object> = Call<I, object, 'user'>;

/** Who may execute an operation: callers of a profile, or above, with one of the screens. */
export interface OperationRights {
  /** The lowest access level that sees and executes it. */
  readonly profile: Profile;
  /** The screens that use it. */
  readonly screens: readonly Screen[];
}

/** A call that programs and agents execute by its code: the call, its rights and its line of the reference. */
export interface Operation<I extends object = object, O extends object = object>
  extends Call<I, O, 'user'>, OperationRights {
  readonly kind: OperationKind;
  /** One English sentence: what it does. */
  readonly summary: string;
  /** Counts the effects of a `write_confirm`, by the same queries, and writes nothing. */
  readonly preview: UserCall<I> | null;
}

type Confirmation<I extends object> =
  | { readonly kind: 'read' | 'write'; readonly preview?: never }
  | { readonly kind: 'write_confirm'; readonly preview: UserCall<I> };

type Declaration<I extends object, O extends object> = Confirmation<I> &
  Pick<Operation<I, O>, 'code' | 'owner' | 'profile' | 'screens' | 'summary' | 'input' | 'output'> & {
    /** Services besides the executor of operations that send it. */
    readonly callers?: readonly Exclude<CallerName, 'operations'>[];
    readonly deadlineMs?: number;
    readonly reach?: Call['reach'];
  };

const assertPreview = (
  { code, reach = 'part' }: Pick<Call, 'code'> & Partial<Pick<Call, 'reach'>>,
  { code: preview, effect, callers, reach: previewReach }: UserCall,
): void => {
  if (effect !== 'read') throw new Error(`${preview} previews ${code} and is not a read.`);
  if (!callers.includes('operations')) throw new Error(`${preview} previews ${code}; add operations to its callers.`);
  if (previewReach !== reach) throw new Error(`${preview} previews ${code}; give both the same reach.`);
};

/** Declares an operation, once: handlers, the executor, rights, schemas and the reference follow from this value. */
export const operation = <I extends object, O extends object>({
  callers = [],
  preview,
  ...declaration
}: Declaration<I, O>): Operation<I, O> => {
  const { code, kind, screens } = declaration;
  if (screens.length === 0) throw new Error(`${code} names no screen; no user below SYSTEM could reach it.`);
  if (preview !== undefined) assertPreview(declaration, preview);
  const effect = kind === 'read' ? 'read' : 'write';
  const derived = { scope: 'user', effect, audit: 'each', preview: preview ?? null } as const;
  return register(
    Object.freeze({
      deadlineMs: 10_000,
      reach: 'part' as const,
      ...declaration,
      ...derived,
      callers: [...callers, 'operations' as const],
    }),
  );
};

export const isOperation = (call: Call): call is Operation => 'kind' in call;

/** All declared operations, by code. */
export const allOperations = (): readonly Operation[] =>
  allCalls()
    .filter(isOperation)
    .toSorted((one, other) => (one.code < other.code ? -1 : 1));
