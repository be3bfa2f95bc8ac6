import { type CheckedView, readView } from './view-statement';

/** A text as a literal of SQL. */
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * The view of a function without a model: the function, and one row for each of its edges with the roles that give it.
 * The statement passes the check that any other one passes.
 */
export const templateView = (functionCode: string): Promise<CheckedView> =>
  readView(`
select f.code as codigo, f.name as nombre, o.operation_code as operacion,
  string_agg(r.role_code, ', ' order by r.role_code) as roles
from auth.published_function f
left join auth.published_function_operation o on o.function_code = f.code
left join auth.published_function_role r on r.function_code = f.code
where f.code = ${literal(functionCode)}
group by f.code, f.name, o.operation_code
order by o.operation_code`);
