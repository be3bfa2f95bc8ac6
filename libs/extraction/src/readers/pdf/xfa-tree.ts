import { type SaxesAttributeNS, SaxesParser } from 'saxes';
import { DamagedFile, LimitExceeded } from '../../errors';
import type { ReadLimits } from '../../reader';

/** Elements of a form, above those of any form that a person can fill in. */
const MOST_ELEMENTS = 200_000;

/** An element of a form: its name without prefix, what it has inside, and the text directly in it. */
export interface FormNode {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: FormNode[];
  text: string;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const nodeOf = (name: string, attributes: Readonly<Record<string, string | SaxesAttributeNS>> = {}): FormNode => ({
  name: localName(name),
  attributes: new Map(
    Object.entries(attributes).map(([key, value]) => [key, typeof value === 'string' ? value : value.value]),
  ),
  children: [],
  text: '',
});

/**
 * Reads a packet of a form. Its document type is refused, as in other XML of files.
 * @throws DamagedFile, LimitExceeded
 */
export const readFormTree = (xml: string, limits: Pick<ReadLimits, 'elementDepth'>): FormNode => {
  const root = nodeOf('');
  const open = [root];
  let count = 0;
  const parser = new SaxesParser({ position: false });
  const damaged = (): never => {
    throw new DamagedFile();
  };
  parser.on('doctype', damaged);
  parser.on('error', damaged);
  parser.on('opentag', ({ name, attributes }) => {
    count += 1;
    if (count > MOST_ELEMENTS) throw new LimitExceeded('elements of a form', MOST_ELEMENTS);
    if (open.length > limits.elementDepth) throw new LimitExceeded('elements inside elements', limits.elementDepth);
    const node = nodeOf(name, attributes);
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on('closetag', () => void open.pop());
  const onText = (text: string): void => {
    const node = open.at(-1);
    if (node !== undefined) node.text += text;
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.write(xml).close();
  return root;
};

/** The first element of a name, in the order of the document. */
export const findNode = (node: FormNode, name: string): FormNode | undefined => {
  if (node.name === name) return node;
  for (const child of node.children) {
    const found = findNode(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
};

export const childOf = (node: FormNode | undefined, name: string): FormNode | undefined =>
  node?.children.find((child) => child.name === name);

/** All text of an element, on one line for each paragraph. */
export const textOfNode = (node: FormNode | undefined): string => {
  if (node === undefined) return '';
  const inside = node.children.map(textOfNode).filter((text) => text !== '');
  const direct = node.text.trim();
  return [...(direct === '' ? [] : [direct]), ...inside].join(node.name === 'body' ? '\n' : ' ');
};
