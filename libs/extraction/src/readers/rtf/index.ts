export { RtfReader } from './rtf-reader';
