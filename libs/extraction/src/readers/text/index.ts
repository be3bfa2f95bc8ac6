export { cleanText } from '../../clean-text';
export { cardText } from './cards';
export { MarkdownReader } from './markdown-reader';
export { charactersOf, decodeAs, decodeText, withoutControls } from './text-encoding';
export { TextReader } from './text-reader';
