import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiOperation } from '@nestjs/swagger';
import type { PublicErrorCode } from '@acervo/public-mapping';

type Node = Record<string, unknown>;

/** A request and its answer as they go over the wire. The lint of the description validates both. */
export interface RouteExample {
  /** Parameters of the path and of the query, by name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly request?: object;
  readonly answer: object;
}

/** What the published description says of a route beside its types. */
export interface RouteDescription {
  readonly summary: string;
  readonly description: string;
  readonly example: RouteExample;
  /** Errors beside those that follow from the shape of the route. */
  readonly errors?: readonly PublicErrorCode[];
}

const EXTENSION = 'x-acervo-example';

/** Describes a route for its readers: what it is for, an example, its errors. */
export const Describes = ({ summary, description, example, errors = [] }: RouteDescription): MethodDecorator =>
  applyDecorators(ApiOperation({ summary, description }), ApiExtension(EXTENSION, { example, errors }));

/** Takes the example out of an operation, whose published form has it where readers of OpenAPI look. */
export const exampleFields = ({
  [EXTENSION]: extension,
  ...described
}: Node): { readonly example?: RouteExample; readonly errors: readonly string[]; readonly described: Node } => ({
  errors: [],
  ...(extension as { readonly example: RouteExample; readonly errors: readonly string[] } | undefined),
  described,
});

const bodyWith = (body: Node, example: object): Node => ({
  ...body,
  content: Object.fromEntries(
    Object.entries(body['content'] as Node).map(([type, media]) => [type, { ...(media as Node), example }]),
  ),
});

const parametersWith = (parameters: readonly Node[], values: Readonly<Record<string, unknown>>): Node[] =>
  parameters.map((parameter) => {
    const value = values[String(parameter['name'])];
    return value === undefined ? parameter : { ...parameter, example: value };
  });

/** Puts an example into the parameters, the body and the answer of an operation. */
export const withExample = (operation: Node, example: RouteExample | undefined): Node => {
  if (example === undefined) return operation;
  const { parameters, requestBody, responses } = operation as {
    readonly parameters?: readonly Node[];
    readonly requestBody?: Node;
    readonly responses: Readonly<Record<string, Node>>;
  };
  return {
    ...operation,
    ...(parameters === undefined ? {} : { parameters: parametersWith(parameters, example.parameters ?? {}) }),
    ...(requestBody === undefined || example.request === undefined
      ? {}
      : { requestBody: bodyWith(requestBody, example.request) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => [
        status,
        answer['content'] === undefined ? answer : bodyWith(answer, example.answer),
      ]),
    ),
  };
};
