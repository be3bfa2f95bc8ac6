import { Injectable } from '@nestjs/common';
import {
  countContents,
  describeLocations,
  type ContentCounts,
  type ContentCountRequest,
  type KnownLocation,
  NotFound,
} from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';

const NONE: ContentCounts = { locations: 0, documents: 0, documentTypes: 0 };

/** Reads the folders that areas are linked to from ingestion, before a transaction and never inside of one. */
@Injectable()
export class Folders {
  constructor(private readonly calls: Calls) {}

  async count(scope: Scope, { entityCode, locationCodes }: ContentCountRequest): Promise<ContentCounts> {
    if (entityCode === undefined && (locationCodes ?? []).length === 0) return NONE;
    return this.calls.send(countContents, scope, {
      ...(entityCode === undefined ? {} : { entityCode }),
      ...(locationCodes === undefined ? {} : { locationCodes }),
    });
  }

  async describe(scope: Scope, codes: readonly string[]): Promise<readonly KnownLocation[]> {
    if (codes.length === 0) return [];
    return (await this.calls.send(describeLocations, scope, { codes })).locations;
  }

  /** @throws NotFound for a folder that the group does not have. */
  async one(scope: Scope, code: string): Promise<KnownLocation> {
    const found = (await this.describe(scope, [code])).find((location) => location.code === code);
    if (found === undefined) throw new NotFound();
    return found;
  }
}
