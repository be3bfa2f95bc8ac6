import { compiled } from './session-thread';

export { type E5Options, E5Sessions } from './e5-sessions';
export { isConverted } from './installed';
export { hasRuntime } from './runtime';
export type { Precision } from './model-files';
export type { ServerReport } from './server/report';
export { Tokenizer } from './tokenizer';
export { readVocabulary, Vocabulary } from './vocabulary';

/** Program that converts the weights: `SOURCE DIRECTORY`. */
export const CONVERT_PROCESS = compiled('convert/convert-process.js');
/** Program that serves the converted model: `DIRECTORY PORT [HOST]`. */
export const SERVE_PROCESS = compiled('server/serve.js');
