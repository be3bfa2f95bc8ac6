import { DamagedFile } from '../../errors';

const HEADER = 512;
const DIFAT_IN_HEADER = 109;
const ENTRY = 128;
const SMALL_SECTOR = 64;
const SMALL_STREAM = 4_096;
const [FOLDER, STREAM, ROOT] = [1, 2, 5];

interface DirectoryEntry {
  readonly type: number;
  readonly links: readonly number[];
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

/** Tables of sectors: each entry names the next sector; negative numbers end a chain or mark a sector type. */
class Chains {
  private readonly seen = new Set<number>();

  constructor(private readonly table: Int32Array) {}

  /** The sectors of a chain. A sector that already belongs to a chain would make a small file endless. */
  follow(start: number): number[] {
    const chain: number[] = [];
    for (let at = start; at >= 0 && at < this.table.length; at = this.table[at] ?? -1) {
      if (this.seen.has(at)) throw new DamagedFile();
      this.seen.add(at);
      chain.push(at);
    }
    return chain;
  }
}

/** Walks through the structure of a compound file once, so that its later reader terminates. */
class Structure {
  private readonly sector: number;

  constructor(private readonly bytes: Buffer) {
    if (bytes.length < HEADER) throw new DamagedFile();
    const shift = bytes.readUInt16LE(30);
    if (shift !== 9 && shift !== 12) throw new DamagedFile();
    this.sector = 2 ** shift;
  }

  check(): void {
    const chains = new Chains(this.numbers(this.tableSectors()));
    const entries = this.entries(chains.follow(this.number(48)));
    const small = new Chains(this.numbers(chains.follow(this.number(60))));
    for (const entry of this.reached(entries)) {
      if (entry.type === FOLDER || entry.size === 0) continue;
      if (entry.size > this.bytes.length) throw new DamagedFile();
      const isSmall = entry.type === STREAM && entry.size < SMALL_STREAM;
      const sectors = (isSmall ? small : chains).follow(entry.start).length;
      if (sectors * (isSmall ? SMALL_SECTOR : this.sector) < entry.size) throw new DamagedFile();
    }
  }

  private number(at: number): number {
    return at + 4 <= this.bytes.length ? this.bytes.readInt32LE(at) : -1;
  }

  private placeOf(sector: number): number {
    return (sector + 1) * this.sector;
  }

  /** Sectors of the sector allocation table: listed in the header, then in a chain of further sectors. */
  private tableSectors(): number[] {
    const found: number[] = [];
    const take = (from: number, count: number): void => {
      for (let index = 0; index < count; index += 1) {
        const sector = this.number(from + index * 4);
        if (sector >= 0) found.push(sector);
      }
    };
    take(76, DIFAT_IN_HEADER);
    const perSector = this.sector / 4 - 1;
    const seen = new Set<number>();
    for (let at = this.number(68); at >= 0 && this.placeOf(at) < this.bytes.length;) {
      if (seen.has(at)) throw new DamagedFile();
      seen.add(at);
      take(this.placeOf(at), perSector);
      at = this.number(this.placeOf(at) + perSector * 4);
    }
    if (new Set(found).size !== found.length) throw new DamagedFile();
    return found;
  }

  private numbers(sectors: readonly number[]): Int32Array {
    const perSector = this.sector / 4;
    const table = new Int32Array(sectors.length * perSector).fill(-1);
    sectors.forEach((sector, index) => {
      for (let slot = 0; slot < perSector; slot += 1)
        table[index * perSector + slot] = this.number(this.placeOf(sector) + slot * 4);
    });
    return table;
  }

  private entries(sectors: readonly number[]): DirectoryEntry[] {
    const entries: DirectoryEntry[] = [];
    for (const sector of sectors)
      for (let at = this.placeOf(sector); at < this.placeOf(sector + 1) && at + ENTRY <= this.bytes.length; at += ENTRY)
        entries.push({
          type: this.bytes[at + 66] ?? 0,
          links: [this.number(at + 68), this.number(at + 72)],
          child: this.number(at + 76),
          start: this.number(at + 116),
          size: this.bytes.readUInt32LE(at + 120),
        });
    return entries;
  }

  /** Entries that are reachable from the root. An entry with two parents makes a cycle. */
  private reached(entries: readonly DirectoryEntry[]): DirectoryEntry[] {
    const [root] = entries;
    if (root?.type !== ROOT) throw new DamagedFile();
    const waiting = [0];
    const seen = new Set(waiting);
    for (const index of waiting) {
      const entry = entries[index];
      const next = entry === undefined ? [] : index === 0 ? [entry.child] : [...entry.links, entry.child];
      for (const each of next.filter((link) => link >= 0)) {
        if (seen.has(each) || entries[each] === undefined) throw new DamagedFile();
        seen.add(each);
        waiting.push(each);
      }
    }
    return waiting.flatMap((index) => entries[index] ?? []);
  }
}

/** @throws DamagedFile for a compound file with parts that overlap, form cycles or lie outside of it. */
export const assertSoundCompoundFile = (bytes: Buffer): void => new Structure(bytes).check();
