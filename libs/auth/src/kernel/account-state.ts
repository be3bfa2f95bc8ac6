/**
 * State of an account from its deletion until every service has deleted what names its user. It has no public name,
 * because no answer contains such an account. Its row reserves the address in the group until then.
 */
export const DELETING = 'ELIMINANDO';

/** Whether an account exists for callers; `row` is a row of `auth.app_user`. */
export const isPresent = (row: string): string => `${row}.state <> '${DELETING}'`;
