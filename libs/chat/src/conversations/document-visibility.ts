import { Injectable } from '@nestjs/common';
import { filterVisibleDocuments, MOST_ASKED_DOCUMENTS } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';

/** Asks which documents a user sees now. */
@Injectable()
export class DocumentVisibility {
  constructor(private readonly calls: Calls) {}

  async among(scope: Scope, codes: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (let from = 0; from < codes.length; from += MOST_ASKED_DOCUMENTS) {
      const asked = { codes: codes.slice(from, from + MOST_ASKED_DOCUMENTS) };
      for (const code of (await this.calls.send(filterVisibleDocuments, scope, asked)).codes) found.add(code);
    }
    return found;
  }
}
