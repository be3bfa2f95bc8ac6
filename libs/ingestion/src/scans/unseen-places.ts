import { EXCLUSIONS, type FoundFolder, type Unseen } from '@acervo/files';
import type { Location } from '../locations/location-tree';
import type { Place } from './compare';

/** Paths that a notice names; the others are counted. */
const NAMED = 3;
/** Characters of a path in a notice. */
const LONGEST_PATH = 60;

const shortened = (path: string): string => (path.length <= LONGEST_PATH ? path : `…${path.slice(1 - LONGEST_PATH)}`);
const examples = (paths: readonly string[]): string =>
  [...paths.slice(0, NAMED).map(shortened), ...(paths.length > NAMED ? ['and others'] : [])].join(', ');

const exclusionsOf = ({ forExclusions, line }: Unseen): string =>
  forExclusions === true ? `${EXCLUSIONS}${line === undefined ? '' : `, line ${line}`}` : '';

const pathOf = (unseen: Unseen): string =>
  [unseen.folder.path, unseen.name ?? exclusionsOf(unseen)].filter((part) => part !== '').join('/');

/** The paths of unseen places, for notices. */
interface UnseenPaths {
  readonly unreadable: readonly string[];
  readonly unmounted: readonly string[];
}

export interface UnseenInput {
  readonly unseen: readonly Unseen[];
  /** Mount points whose share is not mounted. */
  readonly unmounted: readonly Location[];
  /** Registered folders that were not found. */
  readonly vanished: readonly Location[];
  /** Found folders with their registrations. */
  readonly placed: ReadonlyMap<FoundFolder, Location>;
}

/** Places that a scan could not see: what is registered there is unknown, not gone. */
export class UnseenPlaces {
  static readonly none = new UnseenPlaces(new Set(), new Set(), new Map(), { unreadable: [], unmounted: [] });

  private constructor(
    /** Codes of unseen folders. */
    private readonly folders: ReadonlySet<string>,
    /** Unseen entries of seen folders. */
    private readonly entries: ReadonlySet<string>,
    /** The present ancestors of found folders; their documents may still have earlier ones. */
    private readonly ancestors: ReadonlyMap<string, readonly string[]>,
    private readonly paths: UnseenPaths,
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

  /** The number of unseen places: unreadable entries, and shares that are not mounted. */
  get counts(): { readonly unread: number; readonly unmounted: number } {
    return { unread: this.paths.unreadable.length, unmounted: this.paths.unmounted.length };
  }

  /** Whether the file of a document may still exist. */
  covers({ locationCode, name, ancestors }: Pick<Place, 'locationCode' | 'name' | 'ancestors'>): boolean {
    return this.entries.has(`${locationCode}/${name}`) || this.coversFolder({ code: locationCode, ancestors });
  }

  coversFolder({ code, ancestors }: Pick<Location, 'code' | 'ancestors'>): boolean {
    return (this.ancestors.get(code) ?? ancestors).some((above) => this.folders.has(above));
  }

  /** The notices for users. */
  notices(accepted: boolean): string[] {
    const { unreadable, unmounted } = this.paths;
    const then = accepted ? 'the deletions were accepted there too' : 'what lies there was left as it is';
    const several = (paths: readonly string[], one: string, many: string): string =>
      `${paths.length} ${paths.length === 1 ? one : many} (${examples(paths)}); ${then}.`;
    return [
      ...(unmounted.length === 0 ? [] : [several(unmounted, 'share is not mounted', 'shares are not mounted')]),
      ...(unreadable.length === 0 ? [] : [several(unreadable, 'entry could not be read', 'entries could not be read')]),
    ];
  }
}
