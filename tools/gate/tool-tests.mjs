import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';

/** Tests of the tools themselves; that of the stack needs its engines. */
export const TOOL_TESTS = readdirSync(join(root, 'tools'), { recursive: true })
  .filter((path) => path.endsWith('.test.mjs') && !path.startsWith('stack'))
  .map((path) => join('tools', path))
  .toSorted();
