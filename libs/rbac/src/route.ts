import type { Requirement } from './requirements';

const ROUTE_REQUIREMENT = Symbol('acervo:route-requirement');

/** Declares what a route, or every route of a controller, requires of its caller. */
export const Requires =
  (requirement: Requirement): ClassDecorator & MethodDecorator =>
  (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    Reflect.defineMetadata(ROUTE_REQUIREMENT, requirement, (descriptor?.value as object | undefined) ?? target);
  };

/** The requirement of a route: its own before that of its controller; undefined where neither declares one. */
export const requirementOf = (handler: object, controller: object): Requirement | undefined =>
  (Reflect.getMetadata(ROUTE_REQUIREMENT, handler) ?? Reflect.getMetadata(ROUTE_REQUIREMENT, controller)) as
    Requirement | undefined;
