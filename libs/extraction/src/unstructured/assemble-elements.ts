import type { ExtractedText } from '@acervo/analysis';
import { FlowWriter } from '../flow-writer';
import { Hypertext } from '../readers/epub';
import type { PagedFacts, ReadLimits } from '../reader';
import { dateOf, factOf, TextBuilder } from '../text-builder';
import type { Element } from './elements';

/** Formats with real page numbers; for other formats the server invents pages. */
const PAGED = new Set(['pdf', 'ppt', 'pptx', 'odp', 'tif', 'tiff', 'png', 'jpg', 'jpeg']);

/** Elements that repeat on pages, or are not text. */
const LEFT_OUT = new Set(['Header', 'Footer', 'PageNumber', 'PageBreak']);
const MOST_LEVELS = 6;

const writeTable = (builder: TextBuilder, html: string, limits: ReadLimits): void => {
  const flow = new FlowWriter(builder);
  const hypertext = new Hypertext(flow, limits);
  hypertext.write(html);
  hypertext.end();
  flow.end();
};

const write = (builder: TextBuilder, element: Element, limits: ReadLimits): void => {
  const { type, text, depth, html } = element;
  if (type === 'Title') builder.heading(Math.min(depth + 1, MOST_LEVELS), text);
  else if (type === 'Table' && html !== null) writeTable(builder, html, limits);
  else if (type === 'ListItem') builder.line(text);
  else builder.paragraph(text);
};

/** Only mails contain facts; for other files the date is that of the copy on the server. */
const factsOf = (elements: readonly Element[]): Partial<PagedFacts> => {
  const mail = elements.find(({ facts: { from, subject } }) => from !== null || subject !== null)?.facts;
  if (mail === undefined) return {};
  return { title: factOf(mail.subject), author: factOf(mail.from), date: dateOf(mail.modified) };
};

/**
 * The elements of a file as one text, in their order.
 * @throws NoTextFound, LimitExceeded
 */
export const assembleElements = (elements: readonly Element[], ending: string, limits: ReadLimits): ExtractedText => {
  const builder = new TextBuilder(limits);
  let page: number | null = null;
  for (const element of elements) {
    if (LEFT_OUT.has(element.type)) continue;
    if (PAGED.has(ending) && element.page !== null && element.page !== page) {
      page = element.page;
      builder.startPage(page);
    }
    write(builder, element, limits);
  }
  return builder.build(factsOf(elements));
};
