// A folder whose first scan takes minutes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PER_FOLDER = 200;

/** Writes so many small files into folders of 200; answers the path of their root. */
export const longTree = (place, files) => {
  const root = join(place, 'long');
  for (let index = 0; index < files; index += 1) {
    const folder = join(root, `part-${Math.floor(index / PER_FOLDER)}`);
    if (index % PER_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${index}.txt`), `Documento ${index}.`);
  }
  return root;
};
