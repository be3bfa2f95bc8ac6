import fc from 'fast-check';
import { encode } from 'iconv-lite';
import { DamagedFile, LimitExceeded, NoTextFound, UnsupportedFile } from '../src/errors';
import { JsonReader, XmlReader } from '../src/readers/trees';
import { readWith } from './support/reading';

const json = async (source: string, limits = {}) => (await readWith(new JsonReader(), source, limits)).document;
const xml = async (source: Buffer | string, limits = {}) => (await readWith(new XmlReader(), source, limits)).document;

describe('a JSON file', () => {
  it('each value gets its path, and list entries are separate', async () => {
    const source = {
      title: 'Pólizas',
      tags: ['hogar', 'auto'],
      list: [
        { name: 'A', price: { net: 3 } },
        { name: 'B', ok: true, no: null },
      ],
    };
    const { text, title } = await json(JSON.stringify(source));
    expect(text).toBe(
      'title: Pólizas\ntags: hogar, auto\n\nlist.name: A\nlist.price.net: 3\n\nlist.name: B\nlist.ok: true',
    );
    expect(title).toBe('Pólizas');
  });
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['1.50', '1.50'],
    ['-0.10', '-0.10'],
    ['1e400', '1e400'],
    ['"a \\"1.50\\" b"', 'a "1.50" b'],
  ])('the number %s keeps its digits', async (written, shown) => {
    expect((await json(`{"cuenta": ${written}, "n": 3}`)).text).toBe(`cuenta: ${shown}\nn: 3`);
  });
  it('a string of twelve million characters leaves the file sound', async () => {
    const long = `${'\\"1.50\\"'.repeat(10)}${'a'.repeat(12_000_000)}`;
    const { text } = await json(`{"n": 1.50, "texto": "${long}"}`, { characters: 13_000_000 });
    expect([text.length > 12_000_000, text.slice(0, 29)]).toEqual([true, 'n: 1.50\ntexto: "1.50""1.50""1']);
  });
  it.each([
    ['with numbers that JSON does not have', '{"a": 007}'],
    ['with comments', '// tarifas\n{"a": 1, /* riego */ "b": 2,}'],
    ['that is cut off', '{"a": [1, 2'],
  ])('a text %s stays as it stands', async (_what, source) => {
    expect((await json(source)).text).toBe(source);
  });
  it('a broken line among values stays as it is written', async () => {
    expect((await json('{"id":1}\n{"id":2,"t":"ro\n{"id":90071992547409931}\n')).text).toBe(
      'id: 1\n\n{"id":2,"t":"ro\n\nid: 90071992547409931',
    );
  });
  it('a file with one JSON value on each line is read', async () => {
    expect((await json('{"a":1}\n{"a":2}\n')).text).toBe('a: 1\n\na: 2');
  });
  it('all strings of a JSON file are kept', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ k: fc.stringMatching(/^[a-z]{1,8}$/) }), { minLength: 1 }),
        async (list) => {
          const { text } = await json(JSON.stringify(list));
          for (const { k } of list) expect(text).toContain(`k: ${k}`);
        },
      ),
    );
  });
  it.each([
    ['is nested 100,000 times', '['.repeat(100_000) + ']'.repeat(100_000), LimitExceeded],
    ['is nested 100,000 times and cut off', '{"a":'.repeat(100_000), LimitExceeded],
    ['is empty', '', NoTextFound],
    ['has no values', '{"a": [null, ""]}', NoTextFound],
  ])('JSON that %s is refused with its reason', async (_what, source, refusal) => {
    await expect(json(source)).rejects.toThrow(refusal);
  });
  it('brackets in strings do not count as nesting', async () => {
    expect((await json(JSON.stringify({ a: `${'['.repeat(1_000)}\\"` }), { elementDepth: 2 })).text).toContain('[[[');
  });
});

describe('an XML file', () => {
  it('XML values get their names; mixed content stays running text', async () => {
    const source =
      '<?xml version="1.0"?><x:book xmlns:x="urn:x" lang="es"><title>Guía</title><page no="1"><p>Uno <b>muy</b> claro.</p></page><page><p>Dos</p></page></x:book>';
    expect((await xml(source)).text).toBe('lang: es\ntitle: Guía\np: Uno muy claro.\n\np: Dos');
  });
  it.each([
    ['iso-8859-1', 'iso-8859-1'],
    ['windows-1251', 'windows-1251'],
    ['UTF-16', 'utf16le'],
    ['utf-8', 'utf8'],
  ])('XML is read in its declared encoding: %s', async (name, encoding) => {
    const word = name === 'windows-1251' ? 'достоинство' : 'reunión';
    const source = encode(`<?xml version="1.0" encoding="${name}"?><a>${word}</a>`, encoding, {
      addBOM: name === 'UTF-16',
    });
    expect((await xml(source)).text).toBe(`a: ${word}`);
  });
  it('a document type that defines no entities is no obstacle', async () => {
    expect((await xml('<!DOCTYPE a [<!ELEMENT a (#PCDATA)>]><a>texto</a>')).text).toBe('a: texto');
    expect((await xml('<!DOCTYPE a><a>texto</a>')).text).toBe('a: texto');
    expect((await xml('<!DOCTYPE a SYSTEM "file:///etc/passwd" []><a>1</a>')).text).toBe('a: 1');
    expect((await xml('<!DOCTYPE a PUBLIC "-//X//Y" "https://example.org/a.dtd"><a>1</a>')).text).toBe('a: 1');
    await expect(xml('<!DOCTYPE a><a>&secreto;</a>')).rejects.toThrow(DamagedFile);
  });
  it('the five entities of XML and CDATA are read', async () => {
    expect((await xml('<a>&lt;1&gt; &amp; &#243;<![CDATA[<b>]]></a>')).text).toBe('a: <1> & ó<b>');
  });
  it.each([
    ['declares a document type', '<!DOCTYPE a [<!ENTITY x "xxxx">]><a>&x;</a>', UnsupportedFile],
    ['defines a file', '<!DOCTYPE a [<!NOTATION n SYSTEM "file:///etc/passwd">]><a>1</a>', UnsupportedFile],
    ['defines parameters', '<!DOCTYPE a SYSTEM "a.dtd" [<!ENTITY % p "x"> %p;]><a>1</a>', UnsupportedFile],
    ['uses an entity that is not declared', '<a>&x;</a>', DamagedFile],
    ['is nested 100,000 times', '<a>'.repeat(100_000), LimitExceeded],
    ['is cut off', '<a><b>texto</b>', DamagedFile],
    ['is empty', '', NoTextFound],
    ['has no values', '<a><b/></a>', NoTextFound],
  ])('XML that %s is refused', async (_what, source, refusal) => {
    await expect(xml(source)).rejects.toThrow(refusal);
  });
});
