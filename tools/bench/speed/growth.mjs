// Search and its parts at increasing sizes of the index: which times grow.
import { load, show } from '../lib/figures.mjs';
import { goal } from '../lib/goals.mjs';
import { measureBesideParts, openEmbedder, settled } from './beside-parts.mjs';
import { withProduct } from './engines.mjs';
import { openGroupSession } from './group-session.mjs';
import { openLoader } from './synthetic.mjs';

const GOALS = { p50: 1.5, p95: 2.5 };
const print = (text) => process.stdout.write(`${text}\n`);

/** Ratio of the time of a search to that of its parts, at `p50` or `p95`. */
export const ratio = (times, of) => times.search[of] / times.parts[of];

const report = (name, times) => {
  for (const [part, list] of Object.entries(times))
    show(part === 'parts' ? 'embedding + slower raw leg' : part === 'search' ? part : `raw ${part}`, list);
  const within = (of) => (name === 'hashing' ? '' : ` ${goal(GOALS[of], ratio(times, of) <= GOALS[of])}`);
  const each = ['p50', 'p95'].map((of) => `${of} ${ratio(times, of).toFixed(2)} x${within(of)}`);
  print(`search / (embedding + slower raw leg), ${name}: ${each.join(', ')}; ${load()}\n`);
};

const table = (rows) => {
  print('chunks    search p50    p95   raw lexical p50    p95   raw vector p50    p95   search/parts p50    p95');
  for (const { chunks, times } of rows) {
    const cell = (value, width) => value.toFixed(2).padStart(width);
    const pair = ({ p50, p95 }, width) => `${cell(p50, width)} ${cell(p95, 6)}`;
    print(
      `${String(chunks).padEnd(9)} ${pair(times.search, 10)} ${pair(times.lexical, 17)} ${pair(times.vector, 16)} ` +
        `${cell(ratio(times, 'p50'), 18)} ${cell(ratio(times, 'p95'), 6)}`,
    );
  }
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === last) return;
  const grown = (part) => `${part} ${(last.times[part].p95 / first.times[part].p95).toFixed(2)} x`;
  print(`p95 from ${first.chunks} to ${last.chunks} chunks: ${['search', 'lexical', 'vector'].map(grown).join(', ')}`);
};

/** Loads chunks up to each size, and measures there. */
export const measureGrowth = ({ place, embedder, processes, sizes, rounds }) =>
  withProduct({ place, embedder, processes }, async (installation, variables) => {
    const { running } = installation;
    const session = await openGroupSession(running);
    const asked = openEmbedder(running);
    const context = { installation, running, variables, session, embedder: asked };
    const loader = openLoader({ ...context, embeddingIndex: asked.embeddingModel });
    const rows = [];
    try {
      for (const size of sizes) {
        const { chunks, perSecond } = await loader.loadUpTo(size, print);
        await settled(variables, running.group, chunks);
        print(`${chunks} chunks, loaded at ${perSecond.toFixed(0)} a second`);
        const times = await measureBesideParts(context, chunks, rounds);
        report(embedder, times);
        rows.push({ chunks, times });
      }
    } finally {
      if (rows.length > 0) table(rows);
      await loader.close();
      await session.close();
    }
  });
