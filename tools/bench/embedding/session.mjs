// One session of ONNX Runtime on one thread of this process: what embedding costs at least.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** @param directory of the converted model @param precision the one that the embedder chose */
export const bareSession = async (directory, precision) => {
  const { InferenceSession, Tensor } = require('onnxruntime-node');
  const { readVocabulary, Tokenizer, Vocabulary } = require('@acervo/models/e5');
  const tokenizer = new Tokenizer(new Vocabulary(readVocabulary(directory)));
  const session = await InferenceSession.create(join(directory, `${precision}.onnx`), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  const embedOne = async (ids) => {
    const { embedding } = await session.run({
      input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
    });
    return embedding.data;
  };
  return {
    /** Embeds passages; tokenizing is not counted. */
    embed: async (texts) => {
      const all = texts.map((text) => tokenizer.ids(text, 'passage'));
      await embedOne(all[0]);
      const before = process.cpuUsage();
      const vectors = [];
      for (const ids of all) vectors.push(await embedOne(ids));
      const { user, system } = process.cpuUsage(before);
      const tokens = all.reduce((sum, ids) => sum + ids.length, 0);
      return { vectors, tokens, cpuSeconds: (user + system) / 1e6 };
    },
  };
};
