import { DamagedFile, PasswordProtected } from '../../errors';
import type { PptRecord } from './ppt-records';
import { PptRecords } from './ppt-records';
import { DOCUMENT, PERSIST_DIRECTORY, SLIDE_LIST, SLIDE_PERSIST, USER_EDIT } from './ppt-types';

const ENCRYPTED = 0xf3d1c4df;
const TOKEN_AT = 12;
const EDIT_AT = 16;
/** Instances of the lists of slides. */
const [SLIDES, NOTES] = [0, 2];
const MOST_OBJECTS = 100_000;

const number = (bytes: Buffer, at: number): number => (at + 4 <= bytes.length ? bytes.readUInt32LE(at) : 0);

/** A slide, or a page of notes, with the texts that the document lists for it. */
export interface ListedSlide {
  readonly record: PptRecord | null;
  readonly id: number;
  readonly outline: readonly PptRecord[];
}

/** The parts of a presentation before 2007, found by its directory of objects: the last edit decides. */
export class PptFile {
  private readonly places = new Map<number, number>();
  readonly records: PptRecords;
  readonly document: PptRecord;

  /** @throws PasswordProtected, DamagedFile */
  constructor(stream: Buffer, currentUser: Buffer | undefined) {
    if (currentUser === undefined || currentUser.length < EDIT_AT + 4) throw new DamagedFile();
    if (currentUser.readUInt32LE(TOKEN_AT) === ENCRYPTED) throw new PasswordProtected();
    this.records = new PptRecords(stream);
    const document = this.records.at(this.places.get(this.readEdits(currentUser.readUInt32LE(EDIT_AT))) ?? -1);
    if (document?.type !== DOCUMENT) throw new DamagedFile();
    this.document = document;
  }

  get slides(): ListedSlide[] {
    return this.listed(SLIDES);
  }

  /** The notes by the ID that slides name. */
  get notes(): ReadonlyMap<number, PptRecord> {
    return new Map(this.listed(NOTES).flatMap(({ id, record }) => (record === null ? [] : [[id, record]])));
  }

  /** Reads all edits from the last one back. @returns the ID of the document */
  private readEdits(last: number): number {
    const seen = new Set<number>();
    let document = 0;
    for (let at = last; at !== 0 && !seen.has(at);) {
      seen.add(at);
      const edit = this.records.at(at);
      if (edit?.type !== USER_EDIT) throw new DamagedFile();
      document ||= number(edit.body, 16);
      this.readDirectory(number(edit.body, 12));
      at = number(edit.body, 8);
    }
    return document;
  }

  private readDirectory(at: number): void {
    const directory = this.records.at(at);
    if (directory?.type !== PERSIST_DIRECTORY) throw new DamagedFile();
    const { body } = directory;
    for (let entry = 0; entry + 4 <= body.length;) {
      const [first, count] = [number(body, entry) & 0xfffff, number(body, entry) >>> 20];
      for (let index = 0; index < count && this.places.size < MOST_OBJECTS; index += 1)
        if (!this.places.has(first + index)) this.places.set(first + index, number(body, entry + 4 + index * 4));
      entry += 4 + count * 4;
    }
  }

  private listed(instance: number): ListedSlide[] {
    const slides: { record: PptRecord | null; id: number; outline: PptRecord[] }[] = [];
    for (const list of this.records.inside(this.document)) {
      if (list.type !== SLIDE_LIST || list.instance !== instance) continue;
      for (const record of this.records.inside(list))
        if (record.type !== SLIDE_PERSIST) slides.at(-1)?.outline.push(record);
        else slides.push({ record: this.records.at(this.placeOf(record)), id: number(record.body, 12), outline: [] });
    }
    return slides;
  }

  private placeOf({ body }: PptRecord): number {
    return this.places.get(number(body, 0)) ?? -1;
  }
}
