import { Injectable } from '@nestjs/common';
import { languageNamed } from '@acervo/analysis';
import { filterVisibleDocuments, type Message, MOST_ASKED_DOCUMENTS } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import { fixedSentences } from '../answering/fixed-sentences';
import type { MessageRow } from './message.store';

/** A message as its user may read it now. */
export interface ShownMessage extends Message {
  /** Whether a fixed sentence stands in place of its text. */
  readonly isHidden: boolean;
}

/** The text of an answer, with the sentence that says why it is not whole. */
const textOf = ({ state, text, language }: MessageRow): string => {
  const { stopped, failed } = fixedSentences(languageNamed(language));
  const notice = { STOPPED: stopped, ERROR: failed, DONE: '', ABSTAINED: '', WITHDRAWN: '' }[state];
  return [text, notice].filter((part) => part !== '').join('\n\n');
};

const shown = (row: MessageRow, visible: ReadonlySet<string>): ShownMessage => {
  const { messageId, role, state, language, citations, createdAt } = row;
  const isHidden = state === 'WITHDRAWN' || citations.some(({ documentCode }) => !visible.has(documentCode));
  return {
    ...{ messageId, role, createdAt: createdAt.toISOString(), isHidden },
    text: isHidden ? fixedSentences(languageNamed(language)).withdrawn : textOf(row),
    // A refusal has the documents that were looked at, and cites none.
    citations: isHidden || state === 'ABSTAINED' ? [] : citations,
  };
};

/** Shows messages under the visibility of now: an answer that cites a document out of reach is hidden as a whole. */
@Injectable()
export class ShownMessages {
  constructor(private readonly calls: Calls) {}

  async of(scope: Scope, rows: readonly MessageRow[]): Promise<ShownMessage[]> {
    const cited = new Set(rows.flatMap(({ citations }) => citations.map(({ documentCode }) => documentCode)));
    const visible = await this.visible(scope, [...cited]);
    return rows.map((row) => shown(row, visible));
  }

  private async visible(scope: Scope, codes: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (let from = 0; from < codes.length; from += MOST_ASKED_DOCUMENTS) {
      const asked = { codes: codes.slice(from, from + MOST_ASKED_DOCUMENTS) };
      for (const code of (await this.calls.send(filterVisibleDocuments, scope, asked)).codes) found.add(code);
    }
    return found;
  }
}
