export { encodingOf } from './rtf-code-pages';
export { RtfBody } from './rtf-body';
export { RtfDocument } from './rtf-document';
export { RtfReader } from './rtf-reader';
