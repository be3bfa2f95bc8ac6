export { AsicReader } from './asic-reader';
export { openCms } from './cms';
export { SignedReader } from './signed-reader';
