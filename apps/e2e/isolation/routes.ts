import 'reflect-metadata';
import { type PipeTransform, RequestMethod, type Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { fieldsOf } from '@acervo/contracts';
import { listenerOfPath } from '@acervo/platform-http';
import { requirementOf, type Requirement } from '@acervo/rbac';
import type { RunningService } from '@acervo/platform-service';

/** Place of an input in a request. */
export type Place = 'param' | 'query' | 'body';

/** One input of a route: its class, and whether the body is a list of it. */
export interface RouteInput {
  readonly place: Place;
  readonly type: Type<object>;
  readonly list: boolean;
}

/** One route of a service, as Nest serves it. */
export interface Route {
  readonly service: string;
  readonly method: string;
  /** Path with its parameters as `:name`. */
  readonly path: string;
  readonly requirement: Requirement;
  readonly inputs: readonly RouteInput[];
}

const PLACES: Readonly<Record<string, Place>> = { 3: 'body', 4: 'query', 5: 'param' };

/** Only the pipe of a list names the class of its elements. */
const elementOf = (pipes: readonly (PipeTransform | Type<PipeTransform>)[]): Type<object> | undefined =>
  pipes.map((pipe) => Reflect.get(pipe, 'type') as Type<object> | undefined).find((type) => type !== undefined);

const inputsOf = (controller: Type, name: string): RouteInput[] => {
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) ??
    []) as Type<object>[];
  const metadata = (Reflect.getMetadata('__routeArguments__', controller, name) ?? {}) as Record<
    string,
    { index: number; pipes?: (PipeTransform | Type<PipeTransform>)[] }
  >;
  return Object.entries(metadata).flatMap(([key, { index, pipes = [] }]): RouteInput[] => {
    const place = PLACES[key.split(':', 1)[0] ?? ''];
    if (place === undefined) return [];
    const element = elementOf(pipes);
    const type = element ?? types[index];
    if (type === undefined || fieldsOf(type).length === 0)
      throw new Error(
        `${controller.name}.${name} takes a ${place} without declared fields; give it a class with fields.`,
      );
    return [{ place, type, list: element !== undefined }];
  });
};

const joined = (...parts: string[]): string =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;

/** Every route on the public listener of a service, from its controllers. */
export const routesOf = ({ name: service, app }: RunningService): Route[] => {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    const controller = metatype as Type;
    const prototype = controller.prototype as Record<string, object>;
    return new MetadataScanner().getAllMethodNames(prototype).flatMap((name): Route[] => {
      const handler = prototype[name] as object;
      const method = Reflect.getMetadata('method', handler) as RequestMethod | undefined;
      if (method === undefined) return [];
      const prefix = (Reflect.getMetadata('path', controller) as string | undefined) ?? '';
      const path = joined(prefix, Reflect.getMetadata('path', handler) as string);
      if (listenerOfPath(path) !== 'public') return [];
      const requirement = requirementOf(handler, controller);
      if (requirement === undefined) throw new Error(`${controller.name}.${name} requires nothing.`);
      return [
        {
          service,
          method: RequestMethod[method],
          path,
          requirement,
          inputs: inputsOf(controller, name),
        },
      ];
    });
  });
};

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** All paths that the public listener of a service answers, with or without a controller. */
export const servedBy = ({ app }: RunningService): string[] => {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  return router.stack
    .flatMap(({ route }) => (route === undefined ? [] : [route]))
    .filter(({ path }) => listenerOfPath(path) === 'public')
    .flatMap(({ path, methods }) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
};
