export { Archive } from './archive';
export { assertZip, isCompoundFile } from './compound-file';
export { CompoundStreams } from './compound-streams';
export { assertSoundCompoundFile } from './compound-structure';
export { resolvePart } from './part-names';
export { decoderFor, type Namespaces, walkXml, XmlElement, type XmlHandler } from './xml';
export { readTexts } from './xml-texts';
