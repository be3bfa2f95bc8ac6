/** A type, and where it stands. */
export interface TypePlace {
  readonly code: string;
  readonly parentCode: string | null;
  /** Null for all of the group. */
  readonly entityCode: string | null;
}

/** The types of a group, each below its parent. */
export class TypeTree {
  private readonly places: ReadonlyMap<string, TypePlace>;
  private readonly paths = new Map<string, readonly string[]>();

  constructor(types: readonly TypePlace[]) {
    this.places = new Map(types.map((type) => [type.code, type]));
  }

  get size(): number {
    return this.places.size;
  }

  find(code: string): TypePlace | undefined {
    return this.places.get(code);
  }

  /** A type and the types above it, up to the top; empty for an unknown one. */
  upwards(code: string): readonly string[] {
    const path = this.paths.get(code) ?? this.climb(code);
    this.paths.set(code, path);
    return path;
  }

  /** Whether one of two types is above the other, or is the other. */
  isOnOnePath(a: string, b: string): boolean {
    return this.upwards(a).includes(b) || this.upwards(b).includes(a);
  }

  /** Levels from a type down, itself included. */
  heightOf(code: string): number {
    const depth = this.upwards(code).length;
    const below = [...this.places.keys()].map((each) => this.upwards(each).indexOf(code) + 1);
    return Math.max(depth === 0 ? 0 : 1, ...below);
  }

  /** A cycle, which the table cannot contain but an import can, ends the path. */
  private climb(code: string): readonly string[] {
    const found = new Set<string>();
    for (let place = this.find(code); place !== undefined && !found.has(place.code);) {
      found.add(place.code);
      place = place.parentCode === null ? undefined : this.find(place.parentCode);
    }
    return [...found];
  }
}
