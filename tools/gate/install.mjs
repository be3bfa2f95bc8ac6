// Installs the packages of the lock file, unless exactly these are installed.
import { install } from '../lib/workspace.mjs';

await install();
