import { Injectable } from '@nestjs/common';
import type { ApplicationItem, RoleFunctionItem } from '@acervo/contracts';
import { onlyRow, type Transaction, uniquely } from '@acervo/platform-database';
import { PeopleConflict } from '../kernel/auth.errors';
import { tablesOf } from './role-tables';

/** A function of a role with what the role's document contains about it. */
export interface RoleFunctionRow extends RoleFunctionItem {
  readonly description: string;
}

/** Functions and applications of roles. */
@Injectable()
export class RolePartsStore {
  async functions(tx: Transaction, roleId: number): Promise<readonly RoleFunctionRow[]> {
    const { functions, scopeCondition } = tablesOf(roleId);
    return tx.query<RoleFunctionRow>(
      `select f.code, f.name, f.alias, f.url, f.description,
         (row_number() over (order by rf.position, f.position, f.code))::int as position
       from ${functions} rf join auth.global_function f on f.code = rf.function_code
       where ${scopeCondition} and rf.role_id = $2 order by rf.position, f.position, f.code`,
      [tx.groupId, roleId],
    );
  }

  /** @throws NotFound when the role does not give the function. */
  async function(tx: Transaction, roleId: number, functionCode: string): Promise<RoleFunctionRow> {
    return onlyRow((await this.functions(tx, roleId)).filter(({ code }) => code === functionCode));
  }

  /** Appends a function. @throws NotFound for a missing one, PeopleConflict for one that the role already gives. */
  async addFunction(tx: Transaction, roleId: number, functionCode: string): Promise<void> {
    const { functions, scopeCondition, column, value } = tablesOf(roleId);
    const made = await uniquely(new PeopleConflict('FUNCTION_HELD_ALREADY'), () =>
      tx.query(
        `insert into ${functions} (${column}role_id, function_code, position)
         select ${value}$2::int, f.code, (select coalesce(max(position) + 1, 0) from ${functions} where ${scopeCondition} and role_id = $2)
         from auth.global_function f where f.code = $3 and $1::uuid is not null returning function_code`,
        [tx.groupId, roleId, functionCode],
      ),
    );
    onlyRow(made);
  }

  /** @throws NotFound when the role does not give the function. */
  async removeFunction(tx: Transaction, roleId: number, functionCode: string): Promise<void> {
    const { functions, scopeCondition } = tablesOf(roleId);
    onlyRow(
      await tx.query(
        `delete from ${functions} where ${scopeCondition} and role_id = $2 and function_code = $3 returning function_code`,
        [tx.groupId, roleId, functionCode],
      ),
    );
  }

  async orderFunctions(tx: Transaction, roleId: number, codes: readonly string[]): Promise<void> {
    const { functions, scopeCondition } = tablesOf(roleId);
    await tx.query(
      `update ${functions} rf set position = o.place from unnest($3::text[]) with ordinality as o(code, place)
       where ${scopeCondition} and rf.role_id = $2 and rf.function_code = o.code`,
      [tx.groupId, roleId, codes],
    );
  }

  async applications(tx: Transaction, roleId: number): Promise<readonly ApplicationItem[]> {
    const { applications, scopeCondition } = tablesOf(roleId);
    return tx.query<ApplicationItem>(
      `select a.code, a.name from ${applications} ra join auth.global_application a on a.code = ra.application_code
       where ${scopeCondition} and ra.role_id = $2 order by a.position, a.code`,
      [tx.groupId, roleId],
    );
  }

  /** @throws NotFound for a missing application, PeopleConflict for one that the role already has. */
  async addApplication(tx: Transaction, roleId: number, applicationCode: string): Promise<ApplicationItem> {
    const { applications, column, value } = tablesOf(roleId);
    const made = await uniquely(new PeopleConflict('APPLICATION_HELD_ALREADY'), () =>
      tx.query(
        `insert into ${applications} (${column}role_id, application_code)
         select ${value}$2::int, a.code from auth.global_application a where a.code = $3 and $1::uuid is not null
         returning application_code`,
        [tx.groupId, roleId, applicationCode],
      ),
    );
    onlyRow(made);
    return onlyRow((await this.applications(tx, roleId)).filter(({ code }) => code === applicationCode));
  }

  /** @throws NotFound when the role is not part of the application. */
  async removeApplication(tx: Transaction, roleId: number, applicationCode: string): Promise<void> {
    const { applications, scopeCondition } = tablesOf(roleId);
    onlyRow(
      await tx.query(
        `delete from ${applications} where ${scopeCondition} and role_id = $2 and application_code = $3 returning application_code`,
        [tx.groupId, roleId, applicationCode],
      ),
    );
  }
}
