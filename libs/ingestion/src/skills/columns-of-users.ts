/** Stands for a deleted user: null means that no user requested the run. */
export const FORGOTTEN_USER = '00000000-0000-0000-0000-000000000000';

/** Columns of this service that name a user. A test compares them with the live catalogue. */
export const columnsOfUsers = [
  { table: 'document_skill', column: 'requested_by' },
  { table: 'space_skill', column: 'requested_by' },
] as const;
