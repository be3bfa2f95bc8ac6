export { HtmlReader } from './html-reader';
