import type { ApplicationItem, FunctionChange, FunctionDraft, FunctionRecord } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { screens } from '@acervo/rbac';
import { PeopleConflict } from '../users/refusals';
import { onlyRow, uniquely } from '../users/violations';

/** A function as its table has it. */
export interface FunctionRow extends Omit<FunctionRecord, 'documentedAt' | 'isBuiltIn'> {
  readonly documentedAt: Date | null;
}

const COLUMNS = `f.code, f.name, f.alias, f.description, f.summary, f.url, f.profile, f.position, f.sections, f.behaviours,
  f.document, f.documented_at as "documentedAt"`;

const builtIn: readonly string[] = screens;

/** Whether a function is a screen that routes of the product ask for. */
export const isBuiltIn = (code: string): boolean => builtIn.includes(code);

export const recordOf = ({ documentedAt, ...row }: FunctionRow): FunctionRecord => ({
  ...row,
  isBuiltIn: isBuiltIn(row.code),
  documentedAt: documentedAt?.toISOString() ?? null,
});

const columnsOf = (given: FunctionChange): [string, unknown][] =>
  Object.entries({
    name: given.name,
    alias: given.alias,
    description: given.description,
    summary: given.summary,
    url: given.url,
    profile: given.profile,
    sections: given.sections === undefined ? undefined : JSON.stringify(given.sections),
    behaviours: given.behaviours === undefined ? undefined : JSON.stringify(given.behaviours),
  }).filter(([, value]) => value !== undefined);

export interface FunctionFilter {
  /** Only functions that some role gives which the transaction's group sees. */
  readonly given: boolean;
  readonly application: string | undefined;
}

/** The functions of the product. Changed in transactions of the catalogue's login alone. */
export class FunctionStore {
  async list(tx: Transaction, { given, application }: FunctionFilter): Promise<readonly FunctionRow[]> {
    return tx.query<FunctionRow>(
      `select ${COLUMNS} from auth.global_function f
       where ($1::text is null or exists (select from auth.global_function_application a
           where a.function_code = f.code and a.application_code = $1))
         and ($2::uuid is null or exists (select from auth.role_function_list r
           where r.function_code = f.code and (r.group_id is null or r.group_id = $2)))
       order by f.position, f.code`,
      [application ?? null, given ? tx.groupId : null],
    );
  }

  /** @throws NotFound */
  async get(tx: Transaction, code: string): Promise<FunctionRow> {
    return onlyRow(
      await tx.query<FunctionRow>(`select ${COLUMNS} from auth.global_function f where f.code = $1`, [code]),
    );
  }

  async create(tx: Transaction, { code, ...draft }: FunctionDraft): Promise<void> {
    const given = columnsOf(draft);
    await uniquely(new PeopleConflict('FUNCTION_EXISTS'), () =>
      tx.query(
        `insert into auth.global_function (code, edited, position${given.map(([column]) => `, ${column}`).join('')})
         select $1, true, coalesce(max(position) + 1, 0)${given.map((_, index) => `, $${index + 2}`).join('')} from auth.global_function`,
        [code, ...given.map(([, value]) => value)],
      ),
    );
  }

  /** @throws NotFound */
  async update(tx: Transaction, code: string, change: FunctionChange): Promise<void> {
    const given = columnsOf(change);
    onlyRow(
      await tx.query(
        `update auth.global_function set edited = true${given.map(([column], index) => `, ${column} = $${index + 2}`).join('')}
         where code = $1 returning code`,
        [code, ...given.map(([, value]) => value)],
      ),
    );
  }

  async delete(tx: Transaction, code: string): Promise<void> {
    await tx.query(`delete from auth.global_function where code = $1`, [code]);
  }

  /** Puts functions into this order; how many of them there are. */
  async order(tx: Transaction, codes: readonly string[]): Promise<number> {
    const moved = await tx.query(
      `update auth.global_function f set position = o.place from unnest($1::text[]) with ordinality as o(code, place)
       where f.code = o.code returning f.code`,
      [codes],
    );
    return moved.length;
  }

  async keepDocument(tx: Transaction, code: string, document: string): Promise<Date> {
    const kept = await tx.query<{ at: Date }>(
      `update auth.global_function set document = $2, documented_at = now() where code = $1 returning documented_at as at`,
      [code, document],
    );
    return onlyRow(kept).at;
  }

  async applications(tx: Transaction, code: string): Promise<readonly ApplicationItem[]> {
    return tx.query<ApplicationItem>(
      `select a.code, a.name from auth.global_function_application fa join auth.global_application a on a.code = fa.application_code
       where fa.function_code = $1 order by a.position, a.code`,
      [code],
    );
  }

  /** @throws PeopleConflict when the function is part of it already. */
  async addApplication(tx: Transaction, code: string, application: string): Promise<void> {
    await uniquely(new PeopleConflict('APPLICATION_HELD_ALREADY'), () =>
      tx.query(`insert into auth.global_function_application (function_code, application_code) values ($1, $2)`, [
        code,
        application,
      ]),
    );
  }

  /** @throws NotFound when the function is not part of it. */
  async removeApplication(tx: Transaction, code: string, application: string): Promise<void> {
    onlyRow(
      await tx.query(
        `delete from auth.global_function_application where function_code = $1 and application_code = $2 returning function_code`,
        [code, application],
      ),
    );
  }

  /** Ids of the roles that the transaction's group sees and that give the function. */
  async roleIds(tx: Transaction, code: string): Promise<readonly number[]> {
    const rows = await tx.query<{ roleId: number }>(
      `select r.role_id as "roleId" from auth.role_function_list r
       where r.function_code = $2 and (r.group_id is null or r.group_id = $1)`,
      [tx.groupId, code],
    );
    return rows.map(({ roleId }) => roleId);
  }
}
