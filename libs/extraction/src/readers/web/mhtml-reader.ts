import { NoTextFound } from '../../errors';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { PartTally } from '../../report';
import { contentOf, leavesOf, mimeTree, parameterOf } from '../mail';
import { decodeAs } from '../text';
import { HtmlReader } from './html-reader';

const PAGE = /^(?:text\/html|application\/xhtml\+xml)$/;
const PLAIN = 'text/plain';

/** Pages that browsers save in one file (MHTML): the page and its frames; pictures and styles are left out. */
export class MhtmlReader extends WholeReader {
  readonly name = 'mhtml';
  private readonly html = new HtmlReader();

  async read(file: AcquiredFile, context: ReadContext): Promise<Extraction> {
    const leaves = leavesOf(mimeTree(file.bytes, context.limits));
    const pages = leaves.filter(({ type }) => PAGE.test(type));
    const [page = leaves.find(({ type }) => type === PLAIN)] = pages;
    if (page === undefined) throw new NoTextFound();
    const content = contentOf(page);
    const charset = parameterOf(page.headers.get('content-type') ?? '', 'charset');
    const named = charset === undefined ? undefined : decodeAs(content, charset);
    const bytes = named === undefined || /^utf-?8$/i.test(charset ?? '') ? content : Buffer.from(`\ufeff${named}`);
    const { document } = await this.html.read({ ...file, bytes }, context);
    const tally = new PartTally();
    tally.count('MIME_PART', leaves.length);
    tally.read('MIME_PART');
    const pictures = leaves.filter(({ type }) => type.startsWith('image/')).length;
    tally.leaveOut('MIME_PART', 'PICTURE', pictures);
    tally.leaveOut('MIME_PART', 'APPEARANCE', leaves.filter(({ type }) => /css|font|javascript/.test(type)).length);
    return { document, attachments: [], report: tally.report() };
  }
}
