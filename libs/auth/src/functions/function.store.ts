import { Injectable } from '@nestjs/common';
import {
  type ApplicationItem,
  type FunctionAnalysis,
  type FunctionChange,
  type FunctionDraft,
  type FunctionRecord,
  type FunctionView,
  screens,
} from '@acervo/contracts';
import { onlyRow, type Transaction, uniquely } from '@acervo/platform-database';
import type { TreeNode } from '../function-views/view-check';
import { PeopleConflict } from '../kernel/auth.errors';

/** A function as its table has it. */
export interface FunctionRow extends Omit<FunctionRecord, 'documentedAt' | 'isBuiltIn' | 'analysis' | 'view'> {
  readonly documentedAt: Date | null;
  readonly report: Omit<FunctionAnalysis, 'analysedAt'> | null;
  readonly analysedAt: Date | null;
  readonly tree: TreeNode | null;
  readonly generatedAt: Date | null;
  readonly syncedAt: Date | null;
}

const COLUMNS = `f.code, f.name, f.alias, f.description, f.summary, f.url, f.profile, f.position, f.sections, f.behaviours,
  f.document, f.documented_at as "documentedAt", n.report, n.analysed_at as "analysedAt",
  v.tree, v.generated_at as "generatedAt", v.synced_at as "syncedAt"`;
const WITH_FINDINGS = `auth.global_function f left join auth.global_function_analysis n on n.function_code = f.code
  left join auth.global_function_view v on v.function_code = f.code`;

const builtIn: readonly string[] = screens;

/** Whether a function is a built-in screen, which routes of the product require. */
export const isBuiltIn = (code: string): boolean => builtIn.includes(code);

const analysisOf = ({ report, analysedAt }: FunctionRow): FunctionAnalysis | null =>
  report && analysedAt && { ...report, analysedAt: analysedAt.toISOString() };

export const recordOf = (row: FunctionRow, view: FunctionView | null): FunctionRecord => {
  const {
    documentedAt,
    report: _report,
    analysedAt: _at,
    tree: _tree,
    generatedAt: _made,
    syncedAt: _applied,
    ...rest
  } = row;
  return {
    ...rest,
    isBuiltIn: isBuiltIn(row.code),
    documentedAt: documentedAt?.toISOString() ?? null,
    analysis: analysisOf(row),
    view,
  };
};

const columnsOf = (change: FunctionChange): [string, unknown][] =>
  Object.entries({
    name: change.name,
    alias: change.alias,
    description: change.description,
    summary: change.summary,
    url: change.url,
    profile: change.profile,
    sections: change.sections === undefined ? undefined : JSON.stringify(change.sections),
    behaviours: change.behaviours === undefined ? undefined : JSON.stringify(change.behaviours),
  }).filter(([, value]) => value !== undefined);

export interface FunctionFilter {
  /** Only functions of roles that the transaction's group sees. */
  readonly assignedOnly: boolean;
  readonly application: string | undefined;
}

/** The functions of the product. Changed in transactions of the catalogue's login alone. */
@Injectable()
export class FunctionStore {
  async list(tx: Transaction, { assignedOnly, application }: FunctionFilter): Promise<readonly FunctionRow[]> {
    return tx.query<FunctionRow>(
      `select ${COLUMNS} from ${WITH_FINDINGS}
       where ($1::text is null or exists (select from auth.global_function_application a
           where a.function_code = f.code and a.application_code = $1))
         and ($2::uuid is null or exists (select from auth.role_function_list r
           where r.function_code = f.code and (r.group_id is null or r.group_id = $2)))
       order by f.position, f.code`,
      [application ?? null, assignedOnly ? tx.groupId : null],
    );
  }

  /** @throws NotFound */
  async get(tx: Transaction, code: string): Promise<FunctionRow> {
    return onlyRow(await tx.query<FunctionRow>(`select ${COLUMNS} from ${WITH_FINDINGS} where f.code = $1`, [code]));
  }

  async create(tx: Transaction, { code, ...draft }: FunctionDraft): Promise<void> {
    const values = columnsOf(draft);
    await uniquely(new PeopleConflict('FUNCTION_EXISTS'), () =>
      tx.query(
        `insert into auth.global_function (code, edited, position${values.map(([column]) => `, ${column}`).join('')})
         select $1, true, coalesce(max(position) + 1, 0)${values.map((_, index) => `, $${index + 2}`).join('')} from auth.global_function`,
        [code, ...values.map(([, value]) => value)],
      ),
    );
  }

  /** @throws NotFound */
  async update(tx: Transaction, code: string, change: FunctionChange): Promise<void> {
    const values = columnsOf(change);
    onlyRow(
      await tx.query(
        `update auth.global_function set edited = true${values.map(([column], index) => `, ${column} = $${index + 2}`).join('')}
         where code = $1 returning code`,
        [code, ...values.map(([, value]) => value)],
      ),
    );
  }

  async delete(tx: Transaction, code: string): Promise<void> {
    await tx.query(`delete from auth.global_function where code = $1`, [code]);
  }

  /** Orders functions; returns how many of them exist. */
  async order(tx: Transaction, codes: readonly string[]): Promise<number> {
    const moved = await tx.query(
      `update auth.global_function f set position = o.place from unnest($1::text[]) with ordinality as o(code, place)
       where f.code = o.code returning f.code`,
      [codes],
    );
    return moved.length;
  }

  async keepDocument(tx: Transaction, code: string, document: string): Promise<Date> {
    const updated = await tx.query<{ at: Date }>(
      `update auth.global_function set document = $2, documented_at = now() where code = $1 returning documented_at as at`,
      [code, document],
    );
    return onlyRow(updated).at;
  }

  async applications(tx: Transaction, code: string): Promise<readonly ApplicationItem[]> {
    return tx.query<ApplicationItem>(
      `select a.code, a.name from auth.global_function_application fa join auth.global_application a on a.code = fa.application_code
       where fa.function_code = $1 order by a.position, a.code`,
      [code],
    );
  }

  /** @throws PeopleConflict when the application already has the function. */
  async addApplication(tx: Transaction, code: string, application: string): Promise<void> {
    await uniquely(new PeopleConflict('APPLICATION_HELD_ALREADY'), () =>
      tx.query(`insert into auth.global_function_application (function_code, application_code) values ($1, $2)`, [
        code,
        application,
      ]),
    );
  }

  /** @throws NotFound when the application does not have the function. */
  async removeApplication(tx: Transaction, code: string, application: string): Promise<void> {
    onlyRow(
      await tx.query(
        `delete from auth.global_function_application where function_code = $1 and application_code = $2 returning function_code`,
        [code, application],
      ),
    );
  }

  /** Ids of the roles that give the function and that the transaction's group sees. */
  async roleIds(tx: Transaction, code: string): Promise<readonly number[]> {
    const rows = await tx.query<{ roleId: number }>(
      `select r.role_id as "roleId" from auth.role_function_list r
       where r.function_code = $2 and (r.group_id is null or r.group_id = $1)`,
      [tx.groupId, code],
    );
    return rows.map(({ roleId }) => roleId);
  }
}
