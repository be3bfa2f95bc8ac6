import { Injectable } from '@nestjs/common';
import type { FoundFile, FoundFolder, Walk } from '@acervo/files';
import type { TenantScope } from '@acervo/platform-database';
import { FileAccess, ShareUnresponsive } from '../file-access/file-access';
import { onNewDevices } from '../locations/devices';
import { hasChanged, type Location, type Matches, matchFolders, placeFolders } from '../locations/location-tree';
import { LocationStore, type Root } from '../locations/location.store';
import { unmountedFolders, withoutMountPoints } from '../locations/unmounted';
import { PipelineSettings, settingsHash } from '../reading/pipeline-settings';
import {
  type Comparison,
  decide,
  type Decision,
  type FoundDocument,
  isDoubtful,
  type RecordedDocument,
  matters,
  moveCandidates,
  type Pair,
  withMoves,
} from './compare';
import { InventoryStore } from './inventory.store';
import type { ScanLock } from './scan-locks';
import { compareTree } from './tree-comparison';
import { UnseenPlaces } from './unseen-places';

/** The input of a scan's writes: decisions on present documents, new files, and documents without their file. */
export interface Difference {
  readonly decisions: readonly Decision[];
  readonly unknown: readonly FoundDocument[];
  readonly absent: readonly RecordedDocument[];
  /** Folders that were not found. */
  readonly vanished: readonly Location[];
  readonly unseen: UnseenPlaces;
}

/** The scan that compares. */
export interface Asking {
  readonly lock: ScanLock;
  /** The user confirmed that absent documents are gone. */
  readonly accepted: boolean;
}

/** Found folders with their registrations, and registered folders that were not found. */
interface PlacedFolders {
  readonly placed: ReadonlyMap<FoundFolder, Location>;
  readonly folders: readonly FoundFolder[];
  readonly vanished: readonly Location[];
  /** Mount points whose share is not mounted. */
  readonly unmounted: readonly Location[];
}

/** Matches found folders with registered ones, without the content of mount points whose share is not mounted. */
const recognise = (registered: readonly Location[], found: Walk, accepted: boolean) => {
  const all = matchFolders(registered, found.folders);
  const unmounted = accepted ? [] : unmountedFolders(registered, all, found);
  const folders = withoutMountPoints(found.folders, all, unmounted);
  const seen = new Set(folders);
  const matches: Matches = new Map([...all].filter(([folder]) => seen.has(folder)));
  return { folders, matches, unmounted };
};

/** Compares a tree of folders with its registration. */
@Injectable()
export class TreeDifference {
  constructor(
    private readonly locations: LocationStore,
    private readonly inventory: InventoryStore,
    private readonly files: FileAccess,
    private readonly settings: PipelineSettings,
  ) {}

  /** Registers new and moved folders, and recognises moved files. */
  async find(scope: TenantScope, root: Root, found: Walk, asking: Asking): Promise<Difference> {
    const { placed, folders, vanished, unmounted } = await this.placeFolders(scope, root, found, asking);
    const unseen = UnseenPlaces.of({ unseen: found.unseen, unmounted, vanished, placed });
    const locationOf = (folder: FoundFolder): Location => {
      const location = placed.get(folder);
      if (location === undefined) throw new Error('A file was found in a folder that was not found.');
      return location;
    };
    const decisions: Decision[] = [];
    const decideAll = async (pairs: readonly Pair[]): Promise<void> => {
      for (const decision of await this.decideAll(root, pairs)) decisions.push(decision);
    };
    const left = await compareTree({
      found: { ...found, folders },
      vanished: vanished.map(({ code }) => code),
      codeOf: (folder) => locationOf(folder).code,
      asDocument: (file) => this.asDocument(root, locationOf(file.folder), file),
      recorded: (codes) => this.inventory.recorded(scope, codes),
      pairs: decideAll,
    });
    // A document in an unseen place may still exist: an equal file elsewhere is a copy.
    const isKept = (document: RecordedDocument): boolean => !asking.accepted && unseen.covers(document);
    const gone = left.absent.filter((document) => !isKept(document));
    const moved = await this.recogniseMoves(root, { pairs: [], unknown: left.unknown, absent: gone });
    await decideAll(moved.pairs);
    const absent = [...moved.absent, ...left.absent.filter(isKept)];
    return { decisions, unknown: moved.unknown, absent, vanished, unseen };
  }

  private async placeFolders(
    scope: TenantScope,
    root: Root,
    found: Walk,
    { lock, accepted }: Asking,
  ): Promise<PlacedFolders> {
    const { locations } = this;
    const registered = await locations.tree(scope, root.code);
    const { folders, matches, unmounted } = recognise(registered, found, accepted);
    const newCode = await locations.reserve(scope, folders.length - matches.size);
    const placed = placeFolders(folders, matches, newCode);
    const at = (folder: FoundFolder): Location[] => {
      const location = placed.get(folder);
      return location === undefined ? [] : [location];
    };
    const isNew = (folder: FoundFolder): boolean => !matches.has(folder);
    await locations.add(scope, root, lock, folders.filter(isNew).flatMap(at));
    // A mount point keeps the registration of its share, which identifies the share when it returns.
    const there = [...matches].filter(([, before]) => !unmounted.includes(before));
    const changed = there.flatMap(([folder, before]) => at(folder).filter((now) => hasChanged(before, now)));
    const devices = new Map(there.map(([{ device }, { code }]) => [code, device]));
    await locations.move(scope, lock, [...changed, ...onNewDevices(registered, devices)]);
    const recorded = new Set(matches.values());
    return { placed, folders, unmounted, vanished: registered.filter((location) => !recorded.has(location)) };
  }

  private asDocument(root: Root, location: Location, { folder, name, ...file }: FoundFile): FoundDocument {
    const relativePath = folder.path === '' ? name : `${folder.path}/${name}`;
    return {
      locationCode: location.code,
      ancestors: location.ancestors,
      name,
      relativePath,
      path: `/${root.name}/${relativePath}`,
      ...file,
      whyNot: this.settings.reading.whyNot(name),
      settingsHash: settingsHash(this.settings, name),
    };
  }

  private async recogniseMoves(root: Root, comparison: Comparison): Promise<Comparison> {
    const hashes = new Map<FoundDocument, string>();
    for (const file of moveCandidates(comparison)) {
      const hash = await this.hash(root, file);
      if (hash !== undefined) hashes.set(file, hash);
    }
    return withMoves(comparison, hashes);
  }

  private async decideAll(root: Root, pairs: readonly Pair[]): Promise<Decision[]> {
    const decisions: Decision[] = [];
    for (const pair of pairs) {
      const hash = isDoubtful(pair) ? await this.hash(root, pair.found) : undefined;
      const decision = decide(pair, hash);
      if (matters(decision)) decisions.push(decision);
    }
    return decisions;
  }

  /** Undefined for a file that is unreadable now: the acquire step reports the reason. */
  private async hash({ path: root }: Root, { relativePath }: FoundDocument): Promise<string | undefined> {
    const { files, settings } = this;
    return files.takeFile({ root, relativePath, most: settings.mostBytes }).then(
      ({ hash }) => hash,
      (error: unknown) => {
        // Whether the file changed or moved is unknown: the scan decides nothing.
        if (error instanceof ShareUnresponsive) throw error;
        return undefined;
      },
    );
  }
}
