export { OpenDocumentReader } from './open-document-reader';
