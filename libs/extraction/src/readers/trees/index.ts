export { JsonReader } from './json-reader';
export { XmlReader } from './xml-reader';
