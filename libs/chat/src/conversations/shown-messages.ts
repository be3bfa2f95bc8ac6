import { Injectable } from '@nestjs/common';
import { languageNamed } from '@acervo/analysis';
import type { Message } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';
import { fixedSentences } from '../answering/fixed-sentences';
import type { MessageRow } from './message.store';
import { DocumentVisibility } from './document-visibility';

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
  constructor(private readonly visible: DocumentVisibility) {}

  async of(scope: Scope, rows: readonly MessageRow[]): Promise<ShownMessage[]> {
    const cited = new Set(rows.flatMap(({ citations }) => citations.map(({ documentCode }) => documentCode)));
    const visible = await this.visible.among(scope, [...cited]);
    return rows.map((row) => shown(row, visible));
  }
}
