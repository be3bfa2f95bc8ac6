import { Readability } from '@mozilla/readability';

/** What stands around the content of a page, by its role. */
const AROUND =
  'nav, footer, aside, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=complementary], [aria-hidden=true]';
/** Tags whose names say nothing of content, and which would be counted as text. */
const SILENT = 'script, style, noscript, template';
/** Below this share of the page the article that was found is a part of it, not its content. */
const LEAST_SHARE = 0.6;

/** More elements are lists and tables, and finding an article among them takes seconds. */
const MOST_ELEMENTS = 5_000;

const lettersIn = (element: Element): number => (element.textContent ?? '').replace(/\s+/g, '').length;

/** The article of a page, as browsers find it for their reading view; null where they find none. */
const articleOf = (document: Document): Element | null => {
  if (document.getElementsByTagName('*').length > MOST_ELEMENTS) return null;
  const copy = document.cloneNode(true) as Document;
  try {
    return (
      new Readability(copy, { serializer: (node) => node as Element, keepClasses: false }).parse()?.content ?? null
    );
  } catch {
    // It gives up on some pages by throwing; then the page itself is the content.
    return null;
  }
};

/** The content of a page as HTML: its article, or all of it without its navigation where no article has most of it. */
export const mainContentOf = (document: Document): string => {
  const article = articleOf(document);
  const { body } = document;
  const page = body.outerHTML;
  for (const element of body.querySelectorAll(SILENT)) element.remove();
  const everything = lettersIn(body);
  for (const element of body.querySelectorAll(AROUND)) element.remove();
  const content = lettersIn(body);
  if (article !== null && lettersIn(article) >= LEAST_SHARE * content && content > 0) return article.outerHTML;
  // Some pages put everything into what is called navigation.
  return content >= everything / 2 ? body.outerHTML : page;
};
