import { Injectable } from '@nestjs/common';
import { languageNamed } from '@acervo/analysis';
import type { Message } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';
import { ToolCatalogue } from '../agent/tool-catalogue';
import { fixedSentences } from '../answering/fixed-sentences';
import type { MessageRow } from './message.store';
import { DocumentVisibility } from './document-visibility';

/** A message as its user may read it now. */
export interface ShownMessage extends Message {
  /** Whether a fixed sentence stands in place of its text. */
  readonly isHidden: boolean;
  /** Whether it states a record of a result that names no document. */
  readonly statesRecords: boolean;
}

/** What a user reaches now. */
interface Reach {
  readonly documents: ReadonlySet<string>;
  readonly operations: ReadonlySet<string>;
}

/** The text of an answer, with the sentence that says why it is not whole. */
const textOf = ({ state, text, language }: MessageRow): string => {
  const { stopped, failed } = fixedSentences(languageNamed(language));
  const notice = { STOPPED: stopped, ERROR: failed, DONE: '', ABSTAINED: '', WITHDRAWN: '' }[state];
  return [text, notice].filter((part) => part !== '').join('\n\n');
};

const isOutOfReach = ({ citations, operations }: MessageRow, reach: Reach): boolean =>
  citations.some(({ documentCode }) => !reach.documents.has(documentCode)) ||
  operations.some((code) => !reach.operations.has(code));

const shown = (row: MessageRow, reach: Reach): ShownMessage => {
  const { messageId, role, state, language, citations, statesRecords, createdAt } = row;
  const isHidden = state === 'WITHDRAWN' || isOutOfReach(row, reach);
  return {
    ...{ messageId, role, createdAt: createdAt.toISOString(), isHidden, statesRecords },
    text: isHidden ? fixedSentences(languageNamed(language)).withdrawn : textOf(row),
    // A refusal has the documents that were looked at, and cites none.
    citations: isHidden || state === 'ABSTAINED' ? [] : citations,
  };
};

/** Shows messages under the rights of now: an answer that cites a document or operation out of reach is hidden. */
@Injectable()
export class ShownMessages {
  constructor(
    private readonly visible: DocumentVisibility,
    private readonly catalogue: ToolCatalogue,
  ) {}

  async of(scope: Scope, rows: readonly MessageRow[]): Promise<ShownMessage[]> {
    const cited = new Set(rows.flatMap(({ citations }) => citations.map(({ documentCode }) => documentCode)));
    const documents = await this.visible.among(scope, [...cited]);
    const operations = new Set(this.catalogue.list(scope, 'user_chat').map(({ listed }) => listed.operation));
    return rows.map((row) => shown(row, { documents, operations }));
  }
}
