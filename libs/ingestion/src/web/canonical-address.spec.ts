import { canonicalAddress, registrableDomain, shapeOf } from './canonical-address';

const PAGE = 'https://www.site.example/a/b.html';

describe('the canonical address of a page', () => {
  it.each([
    ['https://WWW.Site.example:443/a#part', 'https://www.site.example/a'],
    ['/a?utm_source=x&b=2&a=1&gclid=z', 'https://www.site.example/a?a=1&b=2'],
    ['c.html;jsessionid=1A2B?sid=77', 'https://www.site.example/a/c.html'],
    ['?PHPSESSID=1', 'https://www.site.example/a/b.html'],
    ['../c/./d', 'https://www.site.example/c/d'],
  ])('of %s is %s', (text, address) => expect(canonicalAddress(text, PAGE)).toBe(address));

  it.each([
    'mailto:a@b.example',
    'javascript:void(0)',
    'https://user:word@site.example/',
    'http://[',
    `/${'a'.repeat(2_048)}`,
  ])('does not exist for %s', (text) => expect(canonicalAddress(text, PAGE)).toBeNull());
});

describe('the domain of an address', () => {
  it.each([
    ['https://docs.site.co.uk/', 'site.co.uk'],
    ['https://site.example/', 'site.example'],
    ['http://127.0.0.1:8080/', '127.0.0.1'],
  ])('of %s is %s', (address, domain) => expect(registrableDomain(address)).toBe(domain));

  it('is left by a host of the same public suffix', () => {
    expect(registrableDomain('https://a.github.io/')).toBe('github.io');
    expect(registrableDomain('https://one.co.uk/')).not.toBe(registrableDomain('https://two.co.uk/'));
  });
});

it('the form of an address leaves out its numbers and values', () => {
  expect(shapeOf('https://site.example/calendar/2026/11?m=12&d=1')).toBe(
    shapeOf('https://site.example/calendar/1/2?m=3&d=4'),
  );
});
