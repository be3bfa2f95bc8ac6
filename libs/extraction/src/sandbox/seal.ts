import Module from 'node:module';

/** Modules that reach out of the process: nothing that reads a file needs one. */
const FORBIDDEN = new Set([
  'child_process',
  'cluster',
  'dgram',
  'dns',
  'dns/promises',
  'http',
  'http2',
  'https',
  'inspector',
  'net',
  'tls',
  'worker_threads',
]);

/** Some readers name a network module without using it, to offer what is never asked for here. */
class Absent {
  constructor(name: string) {
    throw new Error(`${name} is not there in a process that reads files.`);
  }
}

const absent = (name: string): object =>
  new Proxy(
    {},
    {
      get: (_target, property) =>
        typeof property === 'symbol' || property === '__esModule' || property === 'then'
          ? undefined
          : class extends Absent {
              constructor() {
                super(`${name}.${property}`);
              }
            },
    },
  );

type Load = (request: string, ...rest: unknown[]) => unknown;

/**
 * Takes the network and other processes away from this process, before any reader is loaded. This guards against a
 * reader that fetches what a document names; the walls against code that breaks out are those of the operating system.
 */
export const sealProcess = (): void => {
  const load = Reflect.get(Module, '_load') as Load;
  const sealed: Load = (request, ...rest) => {
    const name = request.replace(/^node:/, '');
    return FORBIDDEN.has(name) ? absent(name) : load(request, ...rest);
  };
  Reflect.set(Module, '_load', sealed);
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
    Object.defineProperty(globalThis, name, { value: undefined, configurable: false, writable: false });
};
