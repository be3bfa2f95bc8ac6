import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A driver adds the port to the name of the socket; the number means nothing else. */
export const SOCKET_PORT = 5432;
const NAME = `.s.PGSQL.${SOCKET_PORT}`;
/** The shortest limit of a system for the path of a socket, in bytes. */
const LONGEST_PATH = 103;

/** Where a database listens besides TCP: a directory that only the user of this process can enter. */
export interface SocketPlace {
  readonly directory: string;
  readonly path: string;
  remove(): void;
}

const placeIn = (directory: string, remove: () => void): SocketPlace | undefined => {
  const path = join(directory, NAME);
  return Buffer.byteLength(path) > LONGEST_PATH ? undefined : { directory, path, remove };
};

const temporaryPlace = (): SocketPlace | undefined => {
  const directory = mkdtempSync(join(tmpdir(), 'acervo-'));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  chmodSync(directory, 0o700);
  const place = placeIn(directory, remove);
  if (place === undefined) remove();
  return place;
};

/** The place of a data directory, or a temporary one where its path is too long; undefined where drivers have none. */
export const socketPlaceOf = (directory: string): SocketPlace | undefined => {
  if (process.platform === 'win32') return undefined;
  return placeIn(directory, () => rmSync(join(directory, NAME), { force: true })) ?? temporaryPlace();
};
