import { setTimeout as pause } from 'node:timers/promises';
import type { IgnoredEntries } from '@acervo/contracts';
import { isSupported } from '@acervo/extraction';
import type { TenantScope } from '@acervo/platform-database';
import type { Doorbells } from '@acervo/platform-queue';
import { type FoundFile, type FoundFolder, RootUnreadable, type Walk, walk } from '../files/walk';
import { hasChanged, type Location, matchFolders, placeFolders } from '../locations/location-tree';
import type { LocationStore, Root } from '../locations/location.store';
import { type PipelineSettings, settingsHash } from '../pipeline/settings';
import { ACQUIRE } from '../pipeline/stages';
import type { Cpu } from '../workers/cpu';
import { judgeAbsence } from './absence';
import {
  type Comparison,
  decide,
  type Decision,
  type FoundDocument,
  isDoubtful,
  type KnownDocument,
  matters,
  moveCandidates,
  type Pair,
  withMoves,
} from './compare';
import { InTurn } from './in-turn';
import type { InventoryStore } from './inventory.store';
import { compareTree } from './tree-comparison';

/** What a scan did. */
export interface ScanSummary {
  readonly seen: number;
  readonly added: number;
  readonly changed: number;
  readonly missing: number;
  readonly ignored: readonly IgnoredEntries[];
  readonly notice: string | null;
}

export interface ScanOrder {
  /** The run that the scan belongs to. */
  readonly run: number;
  /** Most documents gone at once are believed to be gone. */
  readonly acceptDeletions: boolean;
  /** Told after each batch. */
  readonly progress?: () => Promise<void>;
}

const UNREADABLE: ScanSummary = {
  seen: 0,
  added: 0,
  changed: 0,
  missing: 0,
  ignored: [],
  notice: 'The folder cannot be read now, so nothing was changed.',
};

/** Rows that one transaction writes: where one session serves all, nobody waits longer than for these. */
const BATCH = 40;

export interface ScanParts {
  readonly locations: LocationStore;
  readonly inventory: InventoryStore;
  readonly cpu: Cpu;
  readonly doorbells: Pick<Doorbells, 'ring'>;
  readonly settings: PipelineSettings;
  /** Size of a file, in bytes, above which scans leave it out. */
  readonly mostBytes: number;
}

interface Difference {
  readonly decisions: readonly Decision[];
  readonly unknown: readonly FoundDocument[];
  readonly absent: readonly KnownDocument[];
}

const countsOf = (ignored: Walk['ignored']): IgnoredEntries[] =>
  [...ignored].map(([rule, entries]) => ({ rule, entries })).sort((a, b) => b.entries - a.entries);

/** Finds out what changed below a root and sets the work going that follows from it. */
export class ScanService {
  private readonly inTurn = new InTurn();

  constructor(private readonly parts: ScanParts) {}

  /** Two scans of one root at a time would each make the folders that are new; the later one waits. */
  scan(scope: TenantScope, root: Root, order: ScanOrder): Promise<ScanSummary> {
    return this.inTurn.run(`${scope.groupId}/${root.code}`, () => this.scanNow(scope, root, order));
  }

  private async scanNow(scope: TenantScope, root: Root, order: ScanOrder): Promise<ScanSummary> {
    const found = await this.look(root);
    if (found === undefined) return UNREADABLE;
    const { inventory } = this.parts;
    const present = await inventory.present(scope, root);
    const { decisions, unknown, absent } = await this.compare(scope, root, found);
    const { gone, notice } = judgeAbsence({
      absent,
      present,
      unreadable: found.unreadable,
      accepted: order.acceptDeletions,
    });
    const inBatches = async <T>(
      items: readonly T[],
      write: (batch: readonly T[]) => Promise<number>,
    ): Promise<number> => this.inBatches(scope, items, write, order.progress);
    // Moves first: what is new may take the place that a document has left.
    await inBatches(decisions, (batch) => inventory.apply(scope, order.run, batch));
    const added = await inBatches(unknown, (batch) => inventory.add(scope, root, order.run, batch));
    const missing = await inBatches(gone, (batch) => inventory.miss(scope, batch));
    const changed = decisions.filter(({ contentChanged }) => contentChanged).length;
    return { seen: found.files.length, added, changed, missing, ignored: countsOf(found.ignored), notice };
  }

  /** What differs between the tree and what is registered of it, moves recognised. */
  private async compare(scope: TenantScope, root: Root, found: Walk): Promise<Difference> {
    const { placed, vanished } = await this.placeFolders(scope, root, found.folders);
    const locationOf = (folder: FoundFolder): Location => {
      const location = placed.get(folder);
      if (location === undefined) throw new Error('A file was found in a folder that was not.');
      return location;
    };
    const decisions: Decision[] = [];
    const decideAll = async (pairs: readonly Pair[]): Promise<void> => {
      for (const decision of await this.decideAll(root, pairs)) decisions.push(decision);
    };
    const left = await compareTree({
      found,
      vanished,
      codeOf: (folder) => locationOf(folder).code,
      asDocument: (file) => this.asDocument(root, locationOf(file.folder), file),
      known: (codes) => this.parts.inventory.known(scope, codes),
      pairs: decideAll,
    });
    const { pairs: moves, unknown, absent } = await this.recogniseMoves(root, { pairs: [], ...left });
    await decideAll(moves);
    return { decisions, unknown, absent };
  }

  private async look(root: Root): Promise<Walk | undefined> {
    try {
      return await walk(root.path, root.name, { mostBytes: this.parts.mostBytes });
    } catch (error) {
      if (error instanceof RootUnreadable) return undefined;
      throw error;
    }
  }

  private async placeFolders(
    scope: TenantScope,
    root: Root,
    found: readonly FoundFolder[],
  ): Promise<{ placed: ReadonlyMap<FoundFolder, Location>; vanished: string[] }> {
    const { locations } = this.parts;
    const registered = await locations.tree(scope, root.code);
    const matches = matchFolders(registered, found);
    const newCode = await locations.reserve(scope, found.length - matches.size);
    const placed = placeFolders(found, matches, newCode);
    const at = (folder: FoundFolder): Location[] => {
      const location = placed.get(folder);
      return location === undefined ? [] : [location];
    };
    const isNew = (folder: FoundFolder): boolean => !matches.has(folder);
    await locations.add(scope, root, found.filter(isNew).flatMap(at));
    const moved = [...matches].flatMap(([folder, before]) => at(folder).filter((now) => hasChanged(before, now)));
    await locations.move(scope, moved);
    const there = new Set(matches.values());
    const vanished = registered.filter((location) => !there.has(location)).map(({ code }) => code);
    return { placed, vanished };
  }

  private asDocument(root: Root, location: Location, { folder, name, size, mtime }: FoundFile): FoundDocument {
    const relativePath = folder.path === '' ? name : `${folder.path}/${name}`;
    return {
      locationCode: location.code,
      ancestors: location.ancestors,
      name,
      relativePath,
      path: `/${root.name}/${relativePath}`,
      size,
      mtime,
      supported: isSupported(name),
      settingsHash: settingsHash(this.parts.settings, name),
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

  /** Undefined for what cannot be read now: whoever acquires it finds out why. */
  private async hash({ path: root }: Root, { relativePath }: FoundDocument): Promise<string | undefined> {
    return this.parts.cpu.run('takeFile', { root, relativePath }).then(
      ({ hash }) => hash,
      () => undefined,
    );
  }

  /** Writes in short transactions, rings after each, and leaves as much time to others as it took. */
  private async inBatches<T>(
    scope: TenantScope,
    items: readonly T[],
    write: (batch: readonly T[]) => Promise<number>,
    progress: ScanOrder['progress'],
  ): Promise<number> {
    let written = 0;
    for (let from = 0; from < items.length; from += BATCH) {
      const started = performance.now();
      written += await write(items.slice(from, from + BATCH));
      await this.parts.doorbells.ring(scope.groupId, ACQUIRE.name);
      await progress?.();
      await pause(Math.min(50, performance.now() - started));
    }
    return written;
  }
}
