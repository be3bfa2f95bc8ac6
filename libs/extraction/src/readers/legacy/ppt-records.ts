import { LimitExceeded } from '../../errors';

const HEADER = 8;
const CONTAINER = 0x0f;
const MOST_DEPTH = 40;
const MOST_RECORDS = 2_000_000;

/** A record of a presentation before 2007: a container of records, or an atom. */
export interface PptRecord {
  readonly type: number;
  readonly instance: number;
  readonly isContainer: boolean;
  /** Its content, without the header. */
  readonly body: Buffer;
}

/** Reads records out of the stream of a presentation, with a limit for all of them together. */
export class PptRecords {
  private count = 0;

  constructor(private readonly stream: Buffer) {}

  /** The record at a position of the stream; null for a position without one. */
  at(position: number): PptRecord | null {
    return this.read(this.stream, position);
  }

  /** The records inside a container. A length that reaches beyond it ends with it. */
  *inside({ body }: PptRecord): Generator<PptRecord> {
    for (let at = 0; at + HEADER <= body.length;) {
      const record = this.read(body, at);
      if (record === null) return;
      yield record;
      at += HEADER + record.body.length;
    }
  }

  /** All records below a container, in their order, except those inside containers of the types that are left out. */
  *below(record: PptRecord, except: readonly number[] = [], depth = 0): Generator<PptRecord> {
    if (depth > MOST_DEPTH) throw new LimitExceeded('records inside records', MOST_DEPTH);
    for (const inner of this.inside(record)) {
      yield inner;
      if (inner.isContainer && !except.includes(inner.type)) yield* this.below(inner, except, depth + 1);
    }
  }

  private read(bytes: Buffer, at: number): PptRecord | null {
    if (at < 0 || at + HEADER > bytes.length) return null;
    if ((this.count += 1) > MOST_RECORDS) throw new LimitExceeded('records', MOST_RECORDS);
    const version = bytes.readUInt16LE(at);
    const length = bytes.readUInt32LE(at + 4);
    return {
      type: bytes.readUInt16LE(at + 2),
      instance: version >> 4,
      isContainer: (version & 0x0f) === CONTAINER,
      body: bytes.subarray(at + HEADER, at + HEADER + length),
    };
  }
}
