import { functionRoutes } from './function-routes';
import { roleRoutes } from './role-routes';
import type { Route } from './route';
import { userRoutes } from './user-routes';

/** The routes of people; each finds the rows that earlier ones created. */
export const peopleRoutes: readonly Route[] = [...userRoutes, ...roleRoutes, ...functionRoutes];
