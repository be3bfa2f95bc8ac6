import { createRequire } from 'node:module';
import { median, print, timed, verdict } from './figures.mjs';

const { PDFiumLibrary } = createRequire(import.meta.url)('@hyzyla/pdfium');
const GOAL = 0.7;
/** Shorter documents measure the start more than the extraction. */
const LONG = 50;

/** Extracts the text of every page with PDFium alone, in this process. Returns the number of pages. */
const bare = async (library, { bytes }) => {
  const document = await library.loadDocument(bytes);
  let pages = 0;
  for (const page of document.pages()) {
    page.getText();
    pages += 1;
  }
  document.destroy();
  return pages;
};

const longOnes = async (library, files) => {
  const long = [];
  for (const file of files.filter(({ name }) => name.endsWith('.pdf'))) {
    const pages = await bare(library, file).catch(() => 0);
    if (pages >= LONG) long.push({ ...file, pages });
  }
  return long;
};

/** Pages a second of one extraction process and of PDFium alone, measured in turn. */
export const pagesPerSecond = async ({ extraction, generated, found }, rounds) => {
  const library = await PDFiumLibrary.init();
  const pool = new extraction.ExtractionPool({ limits: { processes: 1 } });
  print(`Pages a second, N = ${rounds} rounds in turn, medians; goal: ${GOAL} of PDFium alone`);
  for (const file of await longOnes(library, [generated, ...found])) {
    await pool.extract(file);
    const [ours, theirs] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      theirs.push(await timed(() => bare(library, file)));
      ours.push(await timed(() => pool.extract(file)));
    }
    const [pool_, alone] = [ours, theirs].map((times) => (file.pages * 1_000) / median(times));
    const share = pool_ / alone;
    print(
      `  ${file.name.padEnd(28)} ${String(file.pages).padStart(5)} pages   pool ${pool_.toFixed(0).padStart(5)}/s   alone ${alone.toFixed(0).padStart(5)}/s   ${share.toFixed(2)} ${verdict(share >= GOAL)}`,
    );
  }
  await pool.close();
  library.destroy();
};
