import type { DependencyCount } from '@acervo/contracts';
import { countSelected, type SelectedRows, type Selection, type Transaction } from '@acervo/platform-database';

/** Tables with rows of a user that a deletion deletes and its preview counts. A test compares them with the keys. */
export const dependents = [
  { kind: 'roles', table: 'user_role' },
  { kind: 'entidades', table: 'user_entity' },
  { kind: 'claves_api', table: 'api_key' },
  { kind: 'sesiones', table: 'session' },
  { kind: 'factores', table: 'factor' },
] as const;

/** Parts of the account itself, which are not counted beside it. */
export const ownRows = ['login_directory', 'password', 'action_token', 'user_deletion'] as const;

/** Rows of one user: `$1` is the group, `$2` the user. */
const ofUser = (table: string): SelectedRows => ({
  from: `auth.${table} d`,
  where: 'd.group_id = $1 and d.user_id = $2',
});

/** What proves who the user is. The state of the account removes it from the directory. */
export const credentialRows: readonly SelectedRows[] = [ofUser('password'), ofUser('action_token')];

/** Keys of other users that the user created: each works only while its creator may create it. */
const MADE_FOR_OTHERS: SelectedRows = {
  from: 'auth.api_key d',
  where: `d.group_id = $1 and d.created_by = $2 and d.created_in is null and d.user_id <> $2 and d.revoked_at is null`,
};

/** The rows that the deletion of a user deletes, or disables, within this service. */
interface AffectedRows extends Selection<string> {
  /** Those that it deletes. */
  readonly dependents: Readonly<Record<string, SelectedRows>>;
}

/** A deletion deletes the dependents; the preview counts them, and the keys of others that no longer work. */
export const selectAffected = ({ groupId }: Transaction, userId: string): AffectedRows => {
  const deleted = Object.fromEntries(dependents.map(({ kind, table }) => [kind, ofUser(table)]));
  return { dependents: deleted, rows: { ...deleted, claves_de_otros: MADE_FOR_OTHERS }, params: [groupId, userId] };
};

/** Counts of all rows that the deletion of a user deletes in this service, and of the keys of others that it ends. */
export const countDependents = async (tx: Transaction, userId: string): Promise<readonly DependencyCount[]> => {
  const counts = await countSelected(tx, selectAffected(tx, userId));
  const kinds = [...dependents.map(({ kind }) => kind), 'claves_de_otros' as const];
  return kinds.map((kind) => ({ kind, count: counts[kind] ?? 0 }));
};
