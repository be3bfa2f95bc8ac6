import { Injectable } from '@nestjs/common';
import { RootUnreadable, type Walk } from '@acervo/files';
import { FileAccess, ShareUnresponsive } from '../file-access/file-access';
import { IngestionConfig } from '../ingestion.config';
import type { Root } from '../locations/location.store';
import { EXCLUSIONS_UNREADABLE, exclusionsRefused, type ScanSummary, UNREADABLE, UNRESPONSIVE } from './scan-summary';

const MEGABYTE = 1_000_000;

/** A walk, or the summary of a scan that could not walk. */
type Looked = { readonly found: Walk } | { readonly unseen: ScanSummary };

const summaryOf = ({ forExclusions, refused }: RootUnreadable): ScanSummary => {
  if (refused !== undefined) return exclusionsRefused(refused);
  return forExclusions ? EXCLUSIONS_UNREADABLE : UNREADABLE;
};

/** Walks a root, as the configuration limits it. */
@Injectable()
export class RootWalk {
  constructor(
    private readonly files: FileAccess,
    private readonly config: IngestionConfig,
  ) {}

  async look({ path: root, name }: Root): Promise<Looked> {
    try {
      const limits = { mostBytes: this.config.largestFileMb * MEGABYTE };
      return { found: await this.files.walk({ root, name, limits }) };
    } catch (error) {
      if (error instanceof ShareUnresponsive) return { unseen: UNRESPONSIVE };
      if (error instanceof RootUnreadable) return { unseen: summaryOf(error) };
      throw error;
    }
  }
}
