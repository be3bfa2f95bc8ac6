export { DocxReader } from './docx-reader';
