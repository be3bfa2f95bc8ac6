import { Injectable } from '@nestjs/common';
import { InvalidMeaning, type NewLocation } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { Egress } from '@acervo/platform-egress';
import type { Root } from '../locations/location.store';
import type { RootFolder } from '../locations/root-folder';
import { webRoot } from '../locations/web-root';
import { RunStore } from '../scans/run.store';
import { ScanRequests } from '../scans/scan-requests';
import { addressesOf } from '../web-sources/start-addresses';
import { type WebSource, WebSourceStore } from '../web-sources/web-source.store';

/** A web location that a user adds. */
export interface NewWebLocation extends Pick<WebSource, 'startUrls' | 'topic'> {
  readonly root: RootFolder;
}

/** Adds web locations: a name, start pages and a topic in place of a path. */
@Injectable()
export class NewWebLocations {
  constructor(
    private readonly sources: WebSourceStore,
    private readonly egress: Egress,
    private readonly runs: RunStore,
    private readonly requests: ScanRequests,
  ) {}

  /** Null for a folder. @throws InvalidMeaning for parts of both; AddressNotFetched */
  read({ path, name, startUrls, topic }: NewLocation): NewWebLocation | null {
    const webFields = { name, start_urls: startUrls, topic };
    const named = Object.values(webFields).filter((value) => value !== undefined).length;
    if (named === 0) return null;
    if (path !== undefined) throw new InvalidMeaning(['path', 'name', 'start_urls', 'topic']);
    if (name === undefined || startUrls === undefined || topic === undefined)
      throw new InvalidMeaning(absentIn(webFields));
    const trimmed = { name: name.trim(), start_urls: startUrls, topic: topic.trim() };
    if (name.includes('/') || Object.values(trimmed).some((value) => value.length === 0))
      throw new InvalidMeaning(name.includes('/') ? ['name'] : absentIn(trimmed));
    const addresses = addressesOf(this.egress, startUrls);
    return { root: webRoot(name.trim(), addresses, topic.trim()), startUrls: addresses, topic: topic.trim() };
  }

  /** Records what a new root looks for, and requests its research; answers the number of the run. */
  async begin(tx: Transaction, root: Pick<Root, 'code'>, web: NewWebLocation): Promise<number> {
    await this.sources.add(tx, root.code, web);
    return (await this.runs.openResearch(tx, root)) ?? (await this.requests.planResearch(tx, root));
  }
}

const absentIn = (fields: Readonly<Record<string, string | readonly string[] | undefined>>): string[] =>
  Object.keys(fields).filter((field) => (fields[field]?.length ?? 0) === 0);
