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

/** The content of a page as HTML: its article, or the page without its navigation if no article is large enough. */
export const mainContentOf = (document: Document, size: PageSize): string => {
  const article = articleOf(document, size);
  const { body } = document;
  const page = body.outerHTML;
  for (const element of body.querySelectorAll(SILENT)) element.remove();
  const everything = lettersIn(body);
  for (const element of body.querySelectorAll(AROUND)) element.remove();
  const content = lettersIn(body);
  if (article !== null && lettersIn(article) >= LEAST_SHARE * content && content > 0) return article.outerHTML;
  // Some pages put all content into a navigation element.
  return content >= everything / 2 ? body.outerHTML : page;
};
