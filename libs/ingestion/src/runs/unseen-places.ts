import type { FoundFolder, Unseen } from '../files/walk';
import type { Location } from '../locations/location-tree';
import type { Place } from './compare';

/** Paths that a notice names; the others are counted. */
const NAMED = 3;
/** Characters of a path in a notice. */
const LONGEST_PATH = 60;

const shortened = (path: string): string => (path.length <= LONGEST_PATH ? path : `…${path.slice(1 - LONGEST_PATH)}`);
const examples = (paths: readonly string[]): string =>
  [...paths.slice(0, NAMED).map(shortened), ...(paths.length > NAMED ? ['and others'] : [])].join(', ');

const pathOf = ({ folder, name }: Unseen): string =>
  name === null ? folder.path : folder.path === '' ? name : `${folder.path}/${name}`;

export interface UnseenInput {
  readonly unseen: readonly Unseen[];
  /** Registered folders that were not found. */
  readonly vanished: readonly Location[];
  /** Found folders as what they are registered as. */
  readonly placed: ReadonlyMap<FoundFolder, Location>;
}

/** Where a scan could not look: what is registered there is unknown, not gone. */
export class UnseenPlaces {
  static readonly none = new UnseenPlaces(new Set(), new Set(), new Map(), []);

  private constructor(
    /** Codes of folders of which nothing was seen. */
    private readonly folders: ReadonlySet<string>,
    /** Entries of folders that were seen. */
    private readonly entries: ReadonlySet<string>,
    /** Where folders that were found lie now, whatever is still registered of their documents. */
    private readonly ancestors: ReadonlyMap<string, readonly string[]>,
    private readonly unreadable: readonly string[],
  ) {}

  static of({ unseen, vanished, placed }: UnseenInput): UnseenPlaces {
    if (unseen.length === 0) return UnseenPlaces.none;
    const codeOf = (folder: FoundFolder): string => placed.get(folder)?.code ?? '';
    const entries = new Set(unseen.flatMap(({ folder, name }) => (name === null ? [] : [`${codeOf(folder)}/${name}`])));
    const folders = unseen.flatMap(({ folder, name }) => (name === null ? [codeOf(folder)] : []));
    for (const { code, parentCode, name } of vanished) if (entries.has(`${parentCode}/${name}`)) folders.push(code);
    const ancestors = new Map([...placed.values()].map((location) => [location.code, location.ancestors]));
    const unreadable = unseen.filter(({ rule }) => rule === 'unreadable').map(pathOf);
    return new UnseenPlaces(new Set(folders), entries, ancestors, unreadable);
  }

  /** How many places should have been looked at. */
  get count(): number {
    return this.unreadable.length;
  }

  /** Whether the file of a document may be there all the same. */
  covers({ locationCode, name, ancestors }: Pick<Place, 'locationCode' | 'name' | 'ancestors'>): boolean {
    return this.entries.has(`${locationCode}/${name}`) || this.coversFolder({ code: locationCode, ancestors });
  }

  coversFolder({ code, ancestors }: Pick<Location, 'code' | 'ancestors'>): boolean {
    return (this.ancestors.get(code) ?? ancestors).some((above) => this.folders.has(above));
  }

  /** What people are told of it. */
  sentences(accepted: boolean): string[] {
    if (this.unreadable.length === 0) return [];
    const entries = this.unreadable.length === 1 ? '1 entry' : `${this.unreadable.length} entries`;
    const then = accepted ? 'the deletions were accepted there too' : 'what lies there was left as it is';
    return [`${entries} could not be read (${examples(this.unreadable)}); ${then}.`];
  }
}
