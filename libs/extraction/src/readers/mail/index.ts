export { EmlReader } from './eml-reader';
export { MsgReader } from './msg-reader';
