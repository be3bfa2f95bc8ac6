export { HtmlReader } from './html-reader';
export { MhtmlReader } from './mhtml-reader';
