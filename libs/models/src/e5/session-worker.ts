// Thread with one session of ONNX Runtime. `InferenceSession.run` computes on the thread that calls it.
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { normalise } from '../vectors';
import { GRAPH_FILES } from './model-files';
import type { Embedded, SessionReply, SessionRequest, SessionSettings } from './session-messages';
import { Tokenizer } from './tokenizer';
import { Vocabulary } from './vocabulary';

const ERRORS_ONLY = 3;

const open = ({ directory, precision, cores }: SessionSettings): Promise<InferenceSession> =>
  InferenceSession.create(join(directory, GRAPH_FILES[precision].graph), {
    intraOpNumThreads: cores,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: ERRORS_ONLY,
  });

/** Linux has a priority for each thread; elsewhere the call would change that of the whole process. */
const standBack = (nice: number): void => {
  if (process.platform === 'linux' && nice > 0) setPriority(0, nice);
};

const embedOne = async (
  session: InferenceSession,
  tokenizer: Tokenizer,
  { text, kind }: SessionRequest,
): Promise<Embedded> => {
  const ids = BigInt64Array.from(tokenizer.ids(text, kind), BigInt);
  const { embedding } = await session.run({ input_ids: new Tensor('int64', ids, [1, ids.length]) });
  if (!(embedding?.data instanceof Float32Array)) throw new Error('The session returned no embedding.');
  return { vector: normalise(embedding.data), tokens: ids.length };
};

const serve = async (settings: SessionSettings, reply: (message: SessionReply) => void): Promise<void> => {
  standBack(settings.nice);
  const session = await open(settings);
  const tokenizer = new Tokenizer(new Vocabulary(settings.vocabulary));
  parentPort?.on('message', (request: SessionRequest) => {
    embedOne(session, tokenizer, request).then(
      (embedded) => reply({ embedded }),
      (error: unknown) => reply({ failure: error instanceof Error ? error.message : String(error) }),
    );
  });
  reply({ ready: true });
};

void serve(workerData as SessionSettings, (message) => parentPort?.postMessage(message));
