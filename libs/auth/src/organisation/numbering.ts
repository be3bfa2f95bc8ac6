import { onlyRow, type Transaction } from '@acervo/platform-database';

/** Kinds with codes from the group's counter, each with the first letter of its codes. */
const kinds = { entity: 'E', area: 'A' } as const;

/** The next code that nothing of this kind has yet. A number is never reused; codes that people chose are skipped. */
export const freeCode = async (tx: Transaction, kind: keyof typeof kinds): Promise<string> => {
  for (;;) {
    const counted = await tx.query<{ code: string; taken: boolean }>(
      `with counted as (
         insert into auth.counter (group_id, name, value) values ($1, $2, 1)
         on conflict (group_id, name) do update set value = counter.value + 1 returning $3 || value as code)
       select code, exists (select from auth.${kind} t where t.group_id = $1 and t.code = counted.code) as taken from counted`,
      [tx.groupId, kind, kinds[kind]],
    );
    const { code, taken } = onlyRow(counted);
    if (!taken) return code;
  }
};
