export { AsicReader } from './asic-reader';
export { type CmsContent, openCms } from './cms';
export { SignedReader } from './signed-reader';
