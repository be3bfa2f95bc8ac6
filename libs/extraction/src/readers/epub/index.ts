export { EpubReader } from './epub-reader';
export { Hypertext } from './hypertext';
