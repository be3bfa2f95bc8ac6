import { DamagedFile, NoTextFound } from '../../errors';
import { FlowWriter } from '../../flow-writer';
import type { Attachment, ReadLimits } from '../../reader';
import { TextBuilder } from '../../text-builder';
import { type Archive, walkXml } from '../archive';
import { openObject } from '../office';
import { type InnerObject, ShownParts } from './shown-parts';
import { TextBody } from './text-body';

/** An object of OpenDocument is a folder, an object of another program is an entry. */
const FOLDER = /^([^/]+)\/content\.xml$/;
const ENTRY = /^Object[ \d]*$/;

/** What stands inside a file. */
export interface InnerObjects {
  /** Charts, texts and tables by their folder. */
  readonly objects: ReadonlyMap<string, InnerObject>;
  /** Folders that are damaged. */
  readonly damaged: number;
  readonly files: readonly Attachment[];
  /** Objects that are no documents, such as formulas. */
  readonly others: number;
}

const readObject = async (archive: Archive, part: string, limits: ReadLimits): Promise<InnerObject> => {
  const builder = new TextBuilder(limits);
  const flow = new FlowWriter(builder);
  const shown = new ShownParts();
  await walkXml(archive.stream(part), new TextBody(builder, flow, shown), limits);
  flow.end();
  return { text: builder.isEmpty ? '' : builder.build().text, isChart: shown.charts > 0 };
};

/** A damaged object never costs a document its text. */
const readable = async (archive: Archive, part: string, limits: ReadLimits): Promise<InnerObject | null> => {
  try {
    return await readObject(archive, part, limits);
  } catch (error) {
    if (error instanceof DamagedFile || error instanceof NoTextFound) return null;
    throw error;
  }
};

/** Reads what is embedded in a file, before its body refers to it. @throws LimitExceeded */
export const readInnerObjects = async (archive: Archive | null, limits: ReadLimits): Promise<InnerObjects> => {
  const objects = new Map<string, InnerObject>();
  const files: Attachment[] = [];
  let [damaged, others] = [0, 0];
  for (const name of archive?.names ?? []) {
    const folder = FOLDER.exec(name)?.[1];
    if (archive === null || (folder === undefined && !ENTRY.test(name))) continue;
    if (folder === undefined) {
      const file = openObject(name, await archive.bytes(name));
      if (file === null) others += 1;
      else files.push(file);
      continue;
    }
    const object = await readable(archive, name, limits);
    if (object === null) damaged += 1;
    else objects.set(folder, object);
  }
  return { objects, damaged, files, others };
};
