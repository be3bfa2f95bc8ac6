import { getDomain } from 'tldts';

/** Parameters by which sites count visits and visitors; the page is the same without them. */
const TRACKING =
  /^(?:utm_\w+|mtm_\w+|pk_\w+|ga_\w+|fbclid|gclid|dclid|msclkid|yclid|igshid|mc_[ce]id|_hs\w+|ref_src|spm|phpsessid|jsessionid|aspsessionid\w*|sid|sessionid|session_id|session|cftoken|cfid|zenid|oscsid)$/i;
const SESSION_IN_PATH = /;(?:jsessionid|sid|phpsessid)=[^/;?]*/gi;
const LONGEST = 2_048;

/**
 * The one address of a page: without fragment, sessions, tracking and the order of parameters. Null for what is no page
 * of the web.
 */
export const canonicalAddress = (text: string, page?: string): string | null => {
  if (text.length > LONGEST || !URL.canParse(text, page)) return null;
  const url = new URL(text, page);
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return null;
  url.hash = '';
  url.pathname = url.pathname.replace(SESSION_IN_PATH, '');
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  return url.href.replace(/\?$/, '');
};

/** What an organisation registers for all its hosts; the host itself where nothing is registered, as of an address. */
export const registrableDomain = (address: string): string => {
  const { hostname } = new URL(address);
  return getDomain(hostname) ?? hostname;
};

/** Addresses of one form: pages of a calendar or of a list differ by their numbers alone. */
export const shapeOf = (address: string): string => {
  const { hostname, pathname, searchParams } = new URL(address);
  return `${hostname}${pathname.replace(/\d+/g, '#')}?${[...new Set(searchParams.keys())].join('&')}`;
};
