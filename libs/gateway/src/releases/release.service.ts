import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Conflict, NotFound } from '@acervo/contracts';
import { Database } from '@acervo/platform-database';
import { releaseMoment } from './release-moment';
import { type Release, ReleaseStore, type ReleaseTable } from './release.store';

/** The time that cached releases age by. */
@Injectable()
export class ReleaseClock {
  now(): number {
    return Date.now();
  }
}

/** How long this process answers from memory: another process may publish meanwhile. */
export const CACHED_MS = 10_000;

interface Cached {
  readonly until: number;
  readonly release: Release | undefined;
}

/** Releases of the service and of the desktop client. */
@Injectable()
export class ReleaseService {
  private readonly newestOf = new Map<string, Cached>();

  constructor(
    private readonly database: Database,
    private readonly store: ReleaseStore,
    private readonly clock: ReleaseClock,
  ) {}

  /** The newest release, at most ten seconds old. @throws NotFound where none is published */
  async newest<R extends Release>(table: ReleaseTable<R>): Promise<R> {
    const cached = this.newestOf.get(table.name);
    const isFresh = cached !== undefined && cached.until > this.clock.now();
    const release = isFresh ? (cached.release as R | undefined) : await this.read(table);
    if (release === undefined) throw new NotFound();
    return release;
  }

  /**
   * Publishes a release once; a repetition with the same content changes nothing.
   * @returns the release as it is stored
   * @throws Conflict where the version is published with other content
   * @throws InvalidInput for a date that does not exist
   */
  async publish<R extends Release>(table: ReleaseTable<R>, release: R): Promise<R> {
    const published = { ...release, publishedAt: releaseMoment(release.publishedAt) };
    const stored = await this.database.ungrouped(async (tx) => {
      await this.store.insert(tx, table, published);
      return this.store.find(tx, table, published.version);
    });
    if (!isDeepStrictEqual({ ...stored }, published))
      throw new Conflict('This version is published with other content; publish another version.');
    this.newestOf.delete(table.name);
    return published;
  }

  private async read<R extends Release>(table: ReleaseTable<R>): Promise<R | undefined> {
    const release = await this.database.ungrouped((tx) => this.store.newest(tx, table));
    this.newestOf.set(table.name, { until: this.clock.now() + CACHED_MS, release });
    return release;
  }
}
