import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** Calls back with each new connection, as its requests have it: the secured socket, not the one below it. */
export const onConnection = (server: Server, opened: (socket: Socket) => void): void => {
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', opened);
};
