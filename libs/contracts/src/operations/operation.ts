import type { Call } from '../calls';

type UserCall = Call<object, object, 'user'>;

/** A call that programs and agents may make by its code. Kind, access level and screens stand in the table of rbac. */
export interface Operation {
  readonly code: string;
  /** One English sentence: what it does. */
  readonly summary: string;
  readonly call: UserCall;
  /** For what asks for a confirmation: counts what the call would do, by the same queries, and does nothing. */
  readonly preview: UserCall | null;
}

const published = new Map<string, Operation>();

interface Publication<I extends object> {
  readonly summary: string;
  readonly preview?: Call<I, object, 'user'>;
}

/** Publishes a call. @throws when the executor may not send it, or what it is published as. */
export const publish = <I extends object, O extends object>(
  call: Call<I, O, 'user'>,
  { summary, preview }: Publication<I>,
): Operation => {
  if (published.has(call.code)) throw new Error(`${call.code} is published twice.`);
  for (const sent of [call, ...(preview === undefined ? [] : [preview])])
    if (!sent.callers.includes('operations'))
      throw new Error(`${sent.code} is published and its callers lack operations.`);
  if (preview !== undefined && preview.effect !== 'read')
    throw new Error(`${preview.code} is a preview and not a read.`);
  const operation = Object.freeze({
    code: call.code,
    summary,
    call: call as unknown as UserCall,
    preview: (preview as unknown as UserCall | undefined) ?? null,
  });
  published.set(call.code, operation);
  return operation;
};

/** Everything that is published, by code. */
export const allOperations = (): readonly Operation[] =>
  [...published.values()].toSorted((one, other) => (one.code < other.code ? -1 : 1));
