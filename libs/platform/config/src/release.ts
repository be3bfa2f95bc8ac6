import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the checkout or of the image that this program runs from. */
export const ROOT = join(__dirname, '..', '..', '..', '..');

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };

/** The release number of the product: the version in the package.json at the root, the only place that defines it. */
export const release: string = version;
