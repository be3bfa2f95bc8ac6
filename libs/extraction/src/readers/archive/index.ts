export { Archive } from './archive';
export { assertZip, isCompoundFile } from './compound-file';
export { type Namespaces, walkXml, XmlElement, type XmlHandler } from './xml';
export { readTexts } from './xml-texts';
