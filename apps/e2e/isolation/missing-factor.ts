import { isPublicContract } from '@acervo/platform-http';
import { Credentials } from './credentials';
import type { SuiteContext } from './differential';
import { type Route, routesOf } from './routes';

/** The public contract answers every refusal alike; the internal routes say which one it is. */
const isMissingFactor = (path: string, text: string): boolean =>
  isPublicContract(path) || text.includes('segundo factor');
const LOGOUT = '/auth/logout';

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

const refusesForFactor = async (port: number, { method, path }: Route, token: string): Promise<boolean> => {
  const filled = path.replace(/(?<!\\):\w+/g, 'nothing').replaceAll('\\:', ':');
  const answer = await fetch(`http://127.0.0.1:${port}${filled}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: '{}' }),
  });
  return answer.status === 403 && isMissingFactor(path, await answer.text());
};

/** The routes with a credential, and those that a SYSTEM user reaches while the session owes its second factor. */
export const routesWithoutFactor = async ({ installation, tenants: { ownGroup } }: SuiteContext) => {
  const token = await new Credentials(installation, ownGroup).system();
  const auth = installation.owner('auth');
  await auth.write(ownGroup, (tx) =>
    tx.query(
      `insert into auth.factor (group_id, user_id, kind, name, verified_at)
       select group_id, user_id, 'totp', 'owed', now() from auth.app_user where group_id = $1 and email = $2`,
      [ownGroup.groupId, `system@${ownGroup.words}.test`],
    ),
  );
  const routes = installation.services.flatMap(routesOf).filter(({ requirement }) => requirement.kind !== 'nobody');
  const reached: string[] = [];
  // A logout ends the session.
  for (const route of routes.toSorted((one, next) => Number(one.path === LOGOUT) - Number(next.path === LOGOUT)))
    if (!(await refusesForFactor(installation.port, route, token))) reached.push(nameOf(route));
  await auth.write(ownGroup, (tx) =>
    tx.query(`delete from auth.factor where group_id = $1 and name = 'owed'`, [ownGroup.groupId]),
  );
  return { routes: routes.map(nameOf), reached };
};
