/** A person by id and address. */
export interface Person {
  readonly userId: string;
  readonly code: string;
}

/** The person of two columns. */
export const personOf = (userId: string | null, code: string | null): Person | null =>
  userId === null || code === null ? null : { userId, code };

/** What the two columns of a person get: nothing where the person stays, null where there was one to clear. */
export const personColumns = (
  id: string,
  code: string,
  person: Person | null | undefined,
): Readonly<Record<string, string | null | undefined>> =>
  person === null ? { [id]: null, [code]: null } : { [id]: person?.userId, [code]: person?.code };
