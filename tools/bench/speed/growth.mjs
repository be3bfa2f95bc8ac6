// Search and its parts at one size of the index after the other: what grows, and what stays.
import { load, show } from '../lib/figures.mjs';
import { goal } from '../lib/goals.mjs';
import { measureBesideParts, openEmbedder, settled } from './beside-parts.mjs';
import { withProduct } from './engines.mjs';
import { openGroupSession } from './group-session.mjs';
import { openLoader } from './synthetic.mjs';

const GOALS = { p50: 1.5, p95: 2.5 };
const say = (text) => process.stdout.write(`${text}\n`);

/** How much longer a search takes than its parts, at `p50` or `p95`. */
export const ratio = (times, of) => times.search[of] / times.parts[of];

const tell = (name, times) => {
  for (const [part, list] of Object.entries(times))
    show(part === 'parts' ? 'embedding + slower raw leg' : part === 'search' ? part : `raw ${part}`, list);
  const held = (of) => (name === 'hashing' ? '' : ` ${goal(GOALS[of], ratio(times, of) <= GOALS[of])}`);
  const each = ['p50', 'p95'].map((of) => `${of} ${ratio(times, of).toFixed(2)} x${held(of)}`);
  say(`search / (embedding + slower raw leg), ${name}: ${each.join(', ')}; ${load()}\n`);
};

const table = (rows) => {
  say('chunks    search p50    p95   raw lexical p50    p95   raw vector p50    p95   search/parts p50    p95');
  for (const { chunks, times } of rows) {
    const cell = (value, width) => value.toFixed(2).padStart(width);
    const pair = ({ p50, p95 }, width) => `${cell(p50, width)} ${cell(p95, 6)}`;
    say(
      `${String(chunks).padEnd(9)} ${pair(times.search, 10)} ${pair(times.lexical, 17)} ${pair(times.vector, 16)} ` +
        `${cell(ratio(times, 'p50'), 18)} ${cell(ratio(times, 'p95'), 6)}`,
    );
  }
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === last) return;
  const grown = (part) => `${part} ${(last.times[part].p95 / first.times[part].p95).toFixed(2)} x`;
  say(`p95 from ${first.chunks} to ${last.chunks} chunks: ${['search', 'lexical', 'vector'].map(grown).join(', ')}`);
};

/** Loads so many chunks after so many, and measures at each size. */
export const measureGrowth = ({ variables, place, embedder, processes, sizes, rounds }) =>
  withProduct({ variables, place, embedder, processes }, async (running, own) => {
    const session = await openGroupSession(running);
    const asked = openEmbedder(running);
    const context = { running, variables: own, session, embedder: asked };
    const loader = openLoader({ ...context, space: asked.space });
    const rows = [];
    try {
      for (const size of sizes) {
        const { chunks, perSecond } = await loader.loadUpTo(size, say);
        await settled(own, running.group, chunks);
        say(`${chunks} chunks, loaded at ${perSecond.toFixed(0)} a second`);
        const times = await measureBesideParts(context, chunks, rounds);
        tell(embedder, times);
        rows.push({ chunks, times });
      }
    } finally {
      if (rows.length > 0) table(rows);
      await loader.close();
      await session.close();
    }
  });
