import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import inspector from 'node:inspector';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import workerThreads from 'node:worker_threads';

/** Code requested a capability that a reading process lacks. */
class NotHere extends Error {
  constructor(what: string) {
    super(`${what} is not there in a process that reads files.`);
    this.name = 'NotHere';
  }
}

const GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];

/** Functions that leave a process, by module: http, https, http2 and tls use these. */
const doors: readonly (readonly [holder: object, names: RegExp])[] = [
  [net.Socket.prototype, /^connect$/],
  [net.Server.prototype, /^listen$/],
  [dgram.Socket.prototype, /^(?:bind|connect|send|sendto)$/],
  [dns, /^(?:lookup|resolve|reverse)/],
  [dns.promises, /^(?:lookup|resolve|reverse)/],
  [dns.Resolver.prototype, /^(?:resolve|reverse)/],
  [dns.promises.Resolver.prototype, /^(?:resolve|reverse)/],
  [childProcess, /^(?:spawn|exec|fork)/],
  [workerThreads, /^Worker$/],
  [inspector, /^(?:open|Session)$/],
];

const refusing = (name: string): (() => never) =>
  function refuse(): never {
    throw new NotHere(name);
  };

/**
 * Disables network and child processes of this process, before any reader is loaded. Modules that use them still load,
 * since readers import some without a use; their functions throw. This guards against a reader that fetches what a
 * document names. The walls of the system guard against code that breaks out.
 */
export const sealProcess = (): void => {
  for (const [holder, names] of doors)
    for (const name of Object.getOwnPropertyNames(holder))
      if (names.test(name)) Reflect.defineProperty(holder, name, { value: refusing(name), enumerable: true });
  syncBuiltinESMExports();
  for (const name of GLOBALS)
    Object.defineProperty(globalThis, name, { value: undefined, configurable: false, writable: false });
};
