import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import { Tasks } from '@acervo/platform-queue';
import { ResultStore } from './result.store';
import { COLLECT_OBJECTS, type CollectableObjects } from '../kernel/stages';

/** The columns of a document that name objects. */
export const OBJECT_COLUMNS = ['original_object', 'text_object', 'chunks_object', 'vectors_object'] as const;

/** The content and objects of a document before a change released them. */
export interface Released {
  readonly contentHash: string | null;
  /** Objects that the document named; null where it had none. */
  readonly objects: readonly (string | null)[];
}

/** Longer than a result is shared before it is stored. */
const SHARED_RESULT_MS = 40_000;

const isKey = (key: string | null): key is string => key !== null;
const hashesOf = (released: readonly Released[]): string[] =>
  released.map(({ contentHash }) => contentHash).filter(isKey);
const objectsOf = (released: readonly Released[]): string[] => released.flatMap(({ objects }) => objects.filter(isKey));

/** Garbage-collects what no document needs any longer: rows at once, objects by a task. */
@Injectable()
export class ObjectGarbageCollector {
  constructor(
    private readonly tasks: Tasks,
    private readonly results: ResultStore,
  ) {}

  /** Deletes the results of the content, also those that other documents share; with `stages`, of these steps only. */
  async release(tx: Transaction, released: readonly Released[], stages: readonly string[] | null): Promise<void> {
    const hashes = hashesOf(released);
    const remembered = hashes.length === 0 ? [] : await this.results.forget(tx, hashes, stages);
    await this.schedule(tx, hashes, [...new Set([...remembered, ...objectsOf(released)])]);
  }

  /** Collects objects of contents that others replaced. */
  async replaceAll(tx: Transaction, released: readonly Released[]): Promise<void> {
    const replaced = released.filter(({ objects }) => objects.length > 0);
    await this.schedule(tx, hashesOf(replaced), objectsOf(replaced));
  }

  /**
   * Collects objects that were made for documents which changed meanwhile. It waits: another document of the same
   * content may be about to use them.
   */
  async collectLater(tx: Transaction, released: readonly Released[]): Promise<void> {
    await this.schedule(tx, hashesOf(released), objectsOf(released), SHARED_RESULT_MS);
  }

  /** Schedules a check whether objects are still needed, after this transaction. */
  private async schedule(
    tx: Transaction,
    hashes: readonly string[],
    objects: readonly string[],
    delayMs = 0,
  ): Promise<void> {
    if (objects.length === 0) return;
    // The task has a subject of its own, so it outlives all work on the document.
    await this.tasks.enqueue(tx, {
      subjectId: randomUUID(),
      stage: COLLECT_OBJECTS.name,
      generation: 1,
      payload: { objects, hashes } satisfies CollectableObjects,
      delayMs,
    });
  }
}
