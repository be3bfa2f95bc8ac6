import { Readability } from '@mozilla/readability';

/** Elements around the content of a page, by their role. */
const AROUND =
  'nav, footer, aside, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=complementary], [aria-hidden=true]';
/** Tags without content whose text would count. */
const SILENT = 'script, style, noscript, template';
/** An article below this share of the page is only a part of its content. */
const LEAST_SHARE = 0.6;

/** Pages with more elements are lists and tables, where detection of an article takes seconds. */
const MOST_ELEMENTS = 5_000;
/** In pages with deeper elements, too: its time grows with the square of the depth, to 50 s at 400. */
const MOST_DEPTH = 100;

/** How many elements a page has, and how deep the deepest lies. */
export interface PageSize {
  readonly elements: number;
  readonly depth: number;
}

const lettersIn = (element: Element): number => (element.textContent ?? '').replace(/\s+/g, '').length;

/** The article of a page, as the reading view of browsers detects it; null without one. */
const articleOf = (document: Document, { elements, depth }: PageSize): Element | null => {
  if (elements > MOST_ELEMENTS || depth > MOST_DEPTH) return null;
  const copy = document.cloneNode(true) as Document;
  try {
    return (
      new Readability(copy, { serializer: (node) => node as Element, keepClasses: false }).parse()?.content ?? null
    );
  } catch {
    // The library throws for some pages; then the whole page is the content.
    return null;
  }
};

/** Elements beside an article that may be content: contact data, hours, notes, fees. */
const BESIDE = 'aside, footer, details, address, table, dl, [role=complementary], [role=contentinfo]';
/** Those of them that are removed where a page has no article. */
const ASIDE = 'aside, footer, [role=complementary], [role=contentinfo]';
const NAVIGATION = 'nav, [role=navigation], [role=search], [role=banner], [aria-hidden=true], form';
/** A larger share of letters in links is a list of links. */
const MOST_LINKED = 0.5;
/** What people look for at the foot of a page: telephones, hours, prices, addresses of mail. */
const DATA = /\d{2}|@/;

const matching =
  (selector: string) =>
  (element: Element): boolean =>
    element.matches(selector);

const squeezed = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ').trim();

const isLinkList = (element: Element): boolean => {
  const letters = lettersIn(element);
  const linked = [...element.querySelectorAll('a')].reduce((sum, link) => sum + lettersIn(link), 0);
  return letters === 0 || linked > letters * MOST_LINKED;
};

/** The text of an article, by which what stands beside it is compared: its elements are copies of those of the page. */
interface ArticleText {
  readonly text: string;
  /** Its longest texts without markup. */
  readonly passages: readonly string[];
}

const NO_ARTICLE: ArticleText = { text: '', passages: [] };
const MOST_PASSAGES = 10;
/** `NodeFilter.SHOW_TEXT`, which only a browser has as a global. */
const TEXT_NODES = 4;

const articleTextOf = (article: Element): ArticleText => {
  const nodes = article.ownerDocument.createNodeIterator(article, TEXT_NODES);
  const passages: string[] = [];
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) passages.push(squeezed(node.textContent));
  passages.sort((one, other) => other.length - one.length);
  return { text: squeezed(article.textContent), passages: passages.slice(0, MOST_PASSAGES) };
};

/** Whether a text has most letters of the article, as a table does that lays out the page. */
const surrounds = (text: string, { passages }: ArticleText): boolean => {
  const found = passages.filter((passage) => text.includes(passage));
  return found.join('').length > passages.join('').length / 2;
};

/** Whether an element beside the article is content that the article lacks. */
const isContent = (element: Element, article: ArticleText): boolean => {
  const text = squeezed(element.textContent);
  if (element.closest(NAVIGATION) !== null || isLinkList(element)) return false;
  if (article.text.includes(text) || surrounds(text, article)) return false;
  return !element.matches('footer, [role=contentinfo]') || DATA.test(text);
};

/** The page keeps its navigation, since it may be read whole. */
const withoutNavigation = (element: Element): string => {
  const copy = element.cloneNode(true) as Element;
  for (const part of copy.querySelectorAll(NAVIGATION)) part.remove();
  return copy.outerHTML;
};

/** A page with more of them is a list. */
const MOST_BESIDE = 500;

/** Which of the elements are content and no navigation, as HTML; in the order of the page, each once. */
const besideOf = (elements: readonly Element[], article: ArticleText): string => {
  const beside: Element[] = [];
  for (const element of elements.slice(0, MOST_BESIDE))
    if (!beside.some((other) => other.contains(element)) && isContent(element, article)) beside.push(element);
  return beside.map(withoutNavigation).join('');
};

/**
 * The content of a page as HTML: its article and what stands beside it, or the page without its navigation if no article
 * is large enough.
 */
export const mainContentOf = (document: Document, size: PageSize): string => {
  const article = articleOf(document, size);
  const { body } = document;
  const page = body.outerHTML;
  for (const element of body.querySelectorAll(SILENT)) element.remove();
  const everything = lettersIn(body);
  // A query costs as much as the page is large, so that one finds both.
  const found = [...body.querySelectorAll(article === null ? AROUND : `${AROUND}, ${BESIDE}`)];
  const beside = article === null ? '' : besideOf(found.filter(matching(BESIDE)), articleTextOf(article));
  const outside = found.filter(matching(AROUND));
  const around = besideOf(outside.filter(matching(ASIDE)), NO_ARTICLE);
  for (const element of outside) element.remove();
  const content = lettersIn(body);
  if (article !== null && lettersIn(article) >= LEAST_SHARE * content && content > 0) return article.outerHTML + beside;
  // Some pages put all content into a navigation element.
  return content >= everything / 2 ? body.outerHTML + around : page;
};
