import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import { AttachmentStore } from '../../attachments/attachment.store';
import { DocumentReader, type Extracted } from '../document-reader';
import { EXTRACT } from '../../kernel/stages';
import type { WorkingDocument } from '../../document-state/working-document.store';
import type { Step, StepContext, StepOutput } from './step';
import { StepResults } from './step-results';

/** Reads the text of a document. */
@Injectable()
export class ExtractStep implements Step {
  constructor(
    private readonly results: StepResults,
    private readonly reader: DocumentReader,
    private readonly attachments: AttachmentStore,
  ) {}

  get atOnce(): number {
    return this.reader.atOnce;
  }

  isCheap(document: WorkingDocument): boolean {
    return this.reader.isQuick(document);
  }

  /** Attachments become documents before their carrier advances: a killed worker repeats the step. */
  async work(scope: TenantScope, document: WorkingDocument, { progress }: StepContext): Promise<StepOutput> {
    let text: Uint8Array | undefined;
    const make = async (key: string): Promise<Extracted> => {
      const read = await this.reader.read(scope, document, { key, progress });
      ({ text } = read);
      return read.extracted;
    };
    const { patch, objects, used } = await this.results.reuse(scope, document, { stage: EXTRACT, make });
    const { attachments, ...known } = patch;
    if (attachments.length > 0 || document.isCarrier) await this.attachments.sync(scope, document, attachments);
    return { patch: known, objects, used, ...(text === undefined ? {} : { text }) };
  }
}
