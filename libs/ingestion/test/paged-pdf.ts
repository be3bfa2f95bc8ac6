const LINES = 40;
const WIDTH = 80;

const wrapped = (text: string): string[] => {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length < WIDTH) lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
    else lines.push(word);
  }
  return lines.slice(0, LINES);
};

/** A PDF with one page per text, in ASCII letters. */
export const pagedPdf = (pages: readonly string[]): Buffer => {
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, page) => `${4 + page * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (const [page, text] of pages.entries()) {
    const drawn = wrapped(text).map((line, at) => `BT /F 10 Tf 40 ${800 - at * 14} Td (${line}) Tj ET`);
    const content = drawn.join('\n');
    bodies.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + page * 2} 0 R
         /Resources << /Font << /F 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  let file = '%PDF-1.4\n';
  const offsets = bodies.map((body, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = bodies.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
};
