import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryObjectStore } from '../src';
import { behavesLikeAnObjectStore } from './object-store.behaviour';

behavesLikeAnObjectStore(
  'a directory',
  async () => new DirectoryObjectStore(await mkdtemp(join(tmpdir(), 'acervo-objects-'))),
);
