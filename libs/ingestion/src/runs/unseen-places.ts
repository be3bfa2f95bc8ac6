import { EXCLUSIONS } from '../files/ignore-rules';
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

const pathOf = ({ folder, name, forExclusions }: Unseen): string =>
  [folder.path, name ?? (forExclusions === true ? EXCLUSIONS : '')].filter((part) => part !== '').join('/');

/** Paths of what people are told of. */
interface Told {
  readonly unreadable: readonly string[];
  readonly unmounted: readonly string[];
}

export interface UnseenInput {
  readonly unseen: readonly Unseen[];
  /** Mount points whose share is not there. */
  readonly unmounted: readonly Location[];
  /** Registered folders that were not found. */
  readonly vanished: readonly Location[];
  /** Found folders as what they are registered as. */
  readonly placed: ReadonlyMap<FoundFolder, Location>;
}

/** Where a scan could not look: what is registered there is unknown, not gone. */
export class UnseenPlaces {
  static readonly none = new UnseenPlaces(new Set(), new Set(), new Map(), { unreadable: [], unmounted: [] });

  private constructor(
    /** Codes of folders of which nothing was seen. */
    private readonly folders: ReadonlySet<string>,
    /** Entries of folders that were seen. */
    private readonly entries: ReadonlySet<string>,
    /** Where folders that were found lie now, whatever is still registered of their documents. */
    private readonly ancestors: ReadonlyMap<string, readonly string[]>,
    private readonly told: Told,
  ) {}

  static of({ unseen, unmounted, vanished, placed }: UnseenInput): UnseenPlaces {
    if (unseen.length + unmounted.length === 0) return UnseenPlaces.none;
    const codeOf = (folder: FoundFolder): string => placed.get(folder)?.code ?? '';
    const entries = new Set(unseen.flatMap(({ folder, name }) => (name === null ? [] : [`${codeOf(folder)}/${name}`])));
    const folders = unseen.flatMap(({ folder, name }) => (name === null ? [codeOf(folder)] : []));
    for (const { code } of unmounted) folders.push(code);
    for (const { code, parentCode, name } of vanished) if (entries.has(`${parentCode}/${name}`)) folders.push(code);
    const ancestors = new Map([...placed.values()].map((location) => [location.code, location.ancestors]));
    return new UnseenPlaces(new Set(folders), entries, ancestors, {
      unreadable: unseen.filter(({ rule }) => rule === 'unreadable').map(pathOf),
      unmounted: unmounted.map(({ relativePath }) => relativePath),
    });
  }

  /** How many places should have been looked at: those that could not be read, and shares that are not mounted. */
  get counts(): { readonly unread: number; readonly unmounted: number } {
    return { unread: this.told.unreadable.length, unmounted: this.told.unmounted.length };
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
    const { unreadable, unmounted } = this.told;
    const then = accepted ? 'the deletions were accepted there too' : 'what lies there was left as it is';
    const several = (paths: readonly string[], one: string, many: string): string =>
      `${paths.length} ${paths.length === 1 ? one : many} (${examples(paths)}); ${then}.`;
    return [
      ...(unmounted.length === 0 ? [] : [several(unmounted, 'share is not mounted', 'shares are not mounted')]),
      ...(unreadable.length === 0 ? [] : [several(unreadable, 'entry could not be read', 'entries could not be read')]),
    ];
  }
}
