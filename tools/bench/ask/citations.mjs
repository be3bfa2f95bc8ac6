// What a citation rests on: the chunks of its document, as the search reads them.
export const collapsed = (text) => text.replace(/\s+/g, ' ').trim();

const CHUNKS = `select d.code, c.page, c.text from retrieval.chunk c
  join retrieval.live l using (group_id, document_id, space_id, generation)
  join retrieval.document d using (group_id, document_id)
  where c.group_id = $1 order by d.code, c.ordinal`;
/** Characters that two neighbours share at least where they overlap. */
const LEAST_OVERLAP = 20;

/** Two chunks that follow each other as one text. */
const joined = (one, next) => {
  for (let length = Math.min(one.length, next.length); length >= LEAST_OVERLAP; length -= 1)
    if (one.endsWith(next.slice(0, length))) return one + next.slice(length);
  return `${one} ${next}`;
};

/** Checks citations against the chunks of all documents. */
export class Citations {
  constructor(chunks, installation) {
    this.chunks = chunks;
    this.installation = installation;
  }

  static async read(installation) {
    return new Citations(await installation.rows('retrieval', CHUNKS), installation);
  }

  /** The chunks of a document and a page that hold a quote: one, or two that follow each other. */
  passagesOf({ documentCode, page, quote }) {
    const texts = this.chunks
      .filter((chunk) => chunk.code === documentCode && (chunk.page ?? null) === page)
      .map(({ text }) => text);
    const whole = collapsed(quote);
    const single = texts.map(collapsed).filter((text) => text.includes(whole));
    if (single.length > 0) return single;
    return texts
      .slice(1)
      .map((text, index) => collapsed(joined(texts[index] ?? '', text)))
      .filter((text) => text.includes(whole));
  }

  /** Whether the quotes are at their document and page, and the address opens that document. */
  async stands(citation) {
    const lines = citation.quote.split('\n').filter((line) => line.trim() !== '');
    const areThere = lines.every((quote) => this.passagesOf({ ...citation, quote }).length > 0);
    return lines.length > 0 && areThere && (await this.opens(citation));
  }

  async opens({ documentCode, url }) {
    const { status, body } = await this.installation.ask('GET', `/v1/documents/${documentCode}`);
    if (status !== 200 || body.url !== url) return false;
    const page = await fetch(url);
    await page.arrayBuffer();
    return page.status === 200;
  }
}
