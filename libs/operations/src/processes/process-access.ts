import { Forbidden, NotFound } from '@acervo/contracts';
import { levelOf, type Predicate, type Scope, visibilityOf } from '@acervo/rbac';

/** What decides who sees a process. */
export interface ProcessOwnership {
  /** Null: it concerns the whole group. */
  readonly entityCode: string | null;
  /** Null: the program. */
  readonly createdById: string | null;
  /** Null: the administrators. */
  readonly assignedToId: string | null;
}

const isAdministrator = ({ profile }: Scope): boolean => levelOf(profile) >= levelOf('ADMINISTRADOR');
const isFree = (scope: Scope): boolean => isAdministrator(scope) && scope.isFixed !== true;

const reaches = (scope: Scope, { entityCode }: ProcessOwnership): boolean =>
  isFree(scope) || entityCode === null || visibilityOf(scope).entities.includes(entityCode);

/** An administrator whose key is fixed to an entity administers the processes of that entity alone. */
const administers = (scope: Scope, { entityCode }: ProcessOwnership): boolean =>
  isFree(scope) || (isAdministrator(scope) && entityCode !== null);

/** A process is seen by who started it, who works on it, and administrators in reach; others get the same as for none. */
export const seesProcess = (scope: Scope, process: ProcessOwnership): boolean =>
  reaches(scope, process) &&
  (process.createdById === scope.userId || process.assignedToId === scope.userId || administers(scope, process));

/**
 * The process, where the caller may delete it: who started it, and administrators in reach.
 * @throws NotFound for an invisible one; Forbidden for one that the caller only works on
 */
export const assertMayDelete = (scope: Scope, process: ProcessOwnership | undefined): void => {
  if (process === undefined || !seesProcess(scope, process)) throw new NotFound();
  if (process.createdById !== scope.userId && !administers(scope, process))
    throw new Forbidden('Who started it or an administrator deletes this process.');
};

/** `seesProcess` over rows of `operations.process` of the scope's group. Parameters are numbered from `first`. */
export const visibleProcessesSql = (scope: Scope, alias: string, first = 1): Predicate => {
  const [entities, user, free, administrator] = [0, 1, 2, 3].map((place) => `$${first + place}`);
  return {
    sql: `(${free}::boolean or ${alias}.entity_code is null or ${alias}.entity_code = any(${entities}::text[]))
      and (${alias}.created_by_id = ${user}::uuid or ${alias}.assigned_to_id = ${user}::uuid or ${free}::boolean
        or (${administrator}::boolean and ${alias}.entity_code is not null))`,
    params: [visibilityOf(scope).entities, scope.userId, isFree(scope), isAdministrator(scope)],
  };
};
