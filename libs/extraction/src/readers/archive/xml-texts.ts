import type { ReadLimits } from '../../reader';
import { type Namespaces, walkXml } from './xml';

/** The text of each wanted element of a property sheet; of equal names the first. */
export const readTexts = async (
  chunks: AsyncIterable<Buffer>,
  wanted: readonly string[],
  namespaces: Namespaces,
  limits: Pick<ReadLimits, 'elementDepth'>,
): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>();
  let open: string | null = null;
  const start = (name: string) => () => {
    if (texts.has(name)) return;
    texts.set(name, '');
    open = name;
  };
  const end = (): void => {
    open = null;
  };
  const text = (piece: string): void => {
    if (open !== null) texts.set(open, (texts.get(open) ?? '') + piece);
  };
  const opened = new Map(wanted.map((name) => [name, start(name)]));
  const closed = new Map(wanted.map((name) => [name, end]));
  await walkXml(chunks, { namespaces, allowsNamedType: true, opened, closed, text }, limits);
  return texts;
};
