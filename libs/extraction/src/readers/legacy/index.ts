export { DocReader } from './doc-reader';
export { PptReader } from './ppt-reader';
export { XlsReader } from './xls-reader';
