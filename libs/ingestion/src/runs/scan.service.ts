import { setTimeout as pause } from 'node:timers/promises';
import type { TenantScope } from '@acervo/platform-database';
import type { Doorbells, Stage } from '@acervo/platform-queue';
import type { AttachmentReview } from '../attachments/attachment.review';
import { type FoundFile, type FoundFolder, RootUnreadable, type Walk, walk } from '../files/walk';
import { hasChanged, type Location, matchFolders, placeFolders } from '../locations/location-tree';
import type { LocationStore, Root } from '../locations/location.store';
import { type PipelineSettings, settingsHash } from '../pipeline/settings';
import { ACQUIRE, EXTRACT } from '../pipeline/stages';
import type { Cpu } from '../workers/cpu';
import { judgeAbsence } from './absence';
import {
  compare,
  type Comparison,
  decide,
  type Decision,
  type FoundDocument,
  isDoubtful,
  matters,
  moveCandidates,
  withMoves,
} from './compare';
import { InTurn } from './in-turn';
import type { InventoryStore } from './inventory.store';

/** What a scan did. */
export interface ScanSummary {
  readonly seen: number;
  readonly added: number;
  readonly changed: number;
  readonly missing: number;
  readonly ignored: number;
  readonly notice: string | null;
}

const UNREADABLE: ScanSummary = {
  seen: 0,
  added: 0,
  changed: 0,
  missing: 0,
  ignored: 0,
  notice: 'The folder cannot be read now, so nothing was changed.',
};

/** Rows that one transaction writes: where one session serves all, nobody waits longer than for these. */
const BATCH = 40;

export interface ScanParts {
  readonly locations: LocationStore;
  readonly inventory: InventoryStore;
  readonly attachments: AttachmentReview;
  readonly cpu: Cpu;
  readonly doorbells: Pick<Doorbells, 'ring'>;
  readonly settings: PipelineSettings;
}

/** Finds out what changed below a root and sets the work going that follows from it. */
export class ScanService {
  private readonly inTurn = new InTurn();

  constructor(private readonly parts: ScanParts) {}

  /** Two scans of one root at a time would each make the folders that are new; the later one waits. */
  scan(scope: TenantScope, root: Root): Promise<ScanSummary> {
    return this.inTurn.run(`${scope.groupId}/${root.code}`, () => this.scanNow(scope, root));
  }

  private async scanNow(scope: TenantScope, root: Root): Promise<ScanSummary> {
    const found = await this.look(root);
    if (found === undefined) return UNREADABLE;
    const folders = await this.placeFolders(scope, root, found.folders);
    const known = await this.parts.inventory.known(scope, root);
    const files = found.files.map((file) => this.asDocument(root, folders, file));
    const comparison = await this.recogniseMoves(root, compare(known, files));
    const decisions = await this.decideAll(root, comparison);
    const present = known.filter(({ status }) => status !== 'NO_ENCONTRADO').length;
    const { gone, notice } = judgeAbsence({ absent: comparison.absent, present, unreadable: found.unreadable });
    const { inventory, attachments } = this.parts;
    // Moves first: what is new may take the place that a document has left.
    await this.inBatches(scope, decisions, (batch) => inventory.apply(scope, batch));
    let added = 0;
    await this.inBatches(scope, comparison.unknown, async (batch) => {
      added += await inventory.add(scope, root, batch);
    });
    let missing = 0;
    await this.inBatches(scope, gone, async (batch) => {
      missing += await inventory.miss(scope, batch);
    });
    const again = await attachments.due(scope, root);
    await this.inBatches(scope, again, (batch) => attachments.restart(scope, batch), EXTRACT);
    const changed = decisions.filter(({ contentChanged }) => contentChanged).length;
    return { seen: files.length, added, changed, missing, ignored: found.ignored, notice };
  }

  private async look(root: Root): Promise<Walk | undefined> {
    try {
      return await walk(root.path, root.name);
    } catch (error) {
      if (error instanceof RootUnreadable) return undefined;
      throw error;
    }
  }

  private async placeFolders(
    scope: TenantScope,
    root: Root,
    found: readonly FoundFolder[],
  ): Promise<ReadonlyMap<FoundFolder, Location>> {
    const { locations } = this.parts;
    const matches = matchFolders(await locations.tree(scope, root.code), found);
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
    return placed;
  }

  private asDocument(root: Root, folders: ReadonlyMap<FoundFolder, Location>, file: FoundFile): FoundDocument {
    const { folder, name, size, mtime } = file;
    const location = folders.get(folder);
    if (location === undefined) throw new Error('A file was found in a folder that was not.');
    const relativePath = folder.path === '' ? name : `${folder.path}/${name}`;
    return {
      locationCode: location.code,
      ancestors: location.ancestors,
      name,
      relativePath,
      path: `/${root.name}/${relativePath}`,
      size,
      mtime,
      whyNot: this.parts.settings.reading.whyNot(name),
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

  private async decideAll(root: Root, { pairs }: Comparison): Promise<Decision[]> {
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
    const { cpu, settings } = this.parts;
    return cpu.run('takeFile', { root, relativePath, most: settings.mostBytes }).then(
      ({ hash }) => hash,
      () => undefined,
    );
  }

  /** Writes in short transactions, rings after each, and leaves as much time to others as it took. */
  private async inBatches<T>(
    scope: TenantScope,
    items: readonly T[],
    write: (batch: readonly T[]) => Promise<void>,
    stage: Stage = ACQUIRE,
  ): Promise<void> {
    for (let from = 0; from < items.length; from += BATCH) {
      const started = performance.now();
      await write(items.slice(from, from + BATCH));
      await this.parts.doorbells.ring(scope.groupId, stage.name);
      await pause(Math.min(50, performance.now() - started));
    }
  }
}
