// The routes and metrics that a page names are those of the controllers and of docs/metrics.md.
import { codeOf, codeSpans, linesOf, tableRows } from './page.mjs';

const CONTROLLER = /@Controller\((?:'([^']*)'|(\w+))?\)/;
const ROUTE = /^\s*@(Get|Post|Put|Patch|Delete)\((?:'([^']*)')?\)/gm;

/** A path with `{}` for each parameter; a colon behind backslashes is one of the path. */
const templateOf = (...parts) =>
  `/${parts
    .map((part) => part.replace(/^\//, ''))
    .filter((part) => part !== '')
    .join('/')
    .replace(/(?<!\\):\w+/g, '{}')
    .replaceAll('\\\\:', ':')}`;

/**
 * The routes of the controllers, as `{ method, path }` with `{}` for each parameter.
 * @param sources texts of controllers
 * @param contracts text that declares the prefixes which are constants
 */
export const routesOf = (sources, contracts = '') =>
  sources.flatMap((source) => {
    const [, text, name] = CONTROLLER.exec(source) ?? [];
    const [, constant] = new RegExp(`const ${name} = '([^']*)'`).exec(contracts) ?? [];
    const prefix = text ?? constant ?? '';
    return [...source.matchAll(ROUTE)].map(([, method, path = '']) => ({
      method: method.toUpperCase(),
      path: templateOf(prefix, path),
    }));
  });

/** The endpoint of a receiver of spans, which is no route of the product. */
const OF_OTHERS = new Set(['/v1/traces']);
const NAMED = /^(?:(GET|POST|PUT|PATCH|DELETE) )?(\/[^\s?`|]*)/;

const firstOf = (path) => path.split('/')[1];
const escaped = (text) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');

/** Whether a path as written is one of a route: its parameters have any name or value. */
const isOf = (path, template) => new RegExp(`^${escaped(template).replaceAll('{}', '[^/]+?')}$`).test(path);

/** Whether all of a path is the beginning of a route, as `/v1` and `/auth/mfa` are. */
const begins = (path, template) => {
  const segments = path.replace(/\/\*$/, '').split('/');
  return isOf(segments.join('/'), template.split('/').slice(0, segments.length).join('/'));
};

const isRoute = ({ method, path }, routes) =>
  routes.some((route) =>
    method === undefined
      ? begins(path, route.path)
      : route.method === method && (isOf(path, route.path) || isOf(`/v1${path}`, route.path)),
  );

const namedIn = (text) => [
  ...codeSpans(text).flatMap(({ at, code }) => {
    const [, method, path] = NAMED.exec(code) ?? [];
    return path === undefined ? [] : [{ at, method, path }];
  }),
  ...tableRows(text)
    .filter(({ cells: [method, path] }) => /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method) && path?.startsWith('/'))
    .map(({ at, cells: [method, path] }) => ({ at, method, path })),
  ...linesOf(text)
    .filter(({ isCode }) => isCode)
    .flatMap(({ at, text: line }) =>
      [...line.matchAll(/(?:localhost:\d+|\$\w*URL)(\/v1\/[\w./{}:-]+)/g)].map(([, path]) => ({
        at,
        path: path.replace(/\/$/, ''),
      })),
    ),
];

/** Routes of a page that no controller has. @param routes see `routesOf` */
export const routeProblems = (page, text, routes) => {
  const prefixes = new Set(routes.map(({ path }) => firstOf(path)).filter((first) => first !== '' && first !== '{}'));
  return namedIn(text)
    .filter(({ method, path }) => (method !== undefined || prefixes.has(firstOf(path))) && !OF_OTHERS.has(path))
    .filter((named) => firstOf(named.path) !== 'internal' && !isRoute(named, routes))
    .map(({ at, method, path }) => {
      const named = method === undefined ? path : `${method} ${path}`;
      return `${page}:${at} names ${named}, which no controller has: correct the route.`;
    });
};

const METRIC = /(?<![\w./@-])acervo_[a-z0-9_]+(?![\w-]|\.\w)/g;

/** Names of all metrics. @param reference docs/metrics.md */
export const metricsOf = (reference) =>
  new Set(
    [...reference.matchAll(/^\| `(\w+)` +\| (\w+)/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [name, ...['bucket', 'count', 'sum'].map((part) => `${name}_${part}`)] : [name],
    ),
  );

/** Metrics of a page that docs/metrics.md does not list. */
export const metricProblems = (page, text, metrics) =>
  codeOf(text).flatMap(({ at, code }) =>
    [...code.matchAll(METRIC)]
      .filter(
        ([name]) => !metrics.has(name) && !(name.endsWith('_') && [...metrics].some((each) => each.startsWith(name))),
      )
      .map(
        ([name]) => `${page}:${at} names the metric ${name}, which docs/metrics.md does not list: correct the name.`,
      ),
  );
