export { EmlReader } from './eml-reader';
export { MsgReader } from './msg-reader';
export { MboxReader } from './mbox-reader';
export { contentOf, leavesOf, type MimePart, mimeTree, parameterOf } from './mime-tree';
export { TnefReader } from './tnef-reader';
