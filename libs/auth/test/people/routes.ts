import { functionRoutes } from './function-routes';
import { roleRoutes } from './role-routes';
import type { Route } from './route';
import { userRoutes } from './user-routes';

/** The pairs of people, in an order in which each finds what it needs. */
export const peopleRoutes: readonly Route[] = [...userRoutes, ...roleRoutes, ...functionRoutes];
