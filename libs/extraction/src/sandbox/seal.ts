import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import inspector from 'node:inspector';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import workerThreads from 'node:worker_threads';

/** Something asked for what a process that reads files has not. */
class NotHere extends Error {
  constructor(what: string) {
    super(`${what} is not there in a process that reads files.`);
    this.name = 'NotHere';
  }
}

const GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];

/** The doors out of a process, by whoever has them: http, https, http2 and tls have none that is not one of these. */
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
 * Closes the doors of this process to the network and to other processes, before any reader is loaded. Modules that
 * reach out can still be loaded, since readers name some without using them; nothing in them works. This guards against
 * a reader that fetches what a document names; the walls against code that breaks out are those of the system.
 */
export const sealProcess = (): void => {
  for (const [holder, names] of doors)
    for (const name of Object.getOwnPropertyNames(holder))
      if (names.test(name)) Reflect.defineProperty(holder, name, { value: refusing(name), enumerable: true });
  syncBuiltinESMExports();
  for (const name of GLOBALS)
    Object.defineProperty(globalThis, name, { value: undefined, configurable: false, writable: false });
};
