import { DamagedFile } from '../../errors';
import { FlowWriter } from '../../flow-writer';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { dateOf, factOf, TextBuilder } from '../../text-builder';
import { RtfBody } from './rtf-body';
import { RtfDocument } from './rtf-document';

/** Rich Text Format, in any code page. Headers and footers of pages stand once; deleted and hidden text is left out. */
export class RtfReader extends WholeReader {
  readonly name = 'rtf';

  read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    return Promise.resolve().then(() => {
      if (!bytes.subarray(0, 5).equals(Buffer.from('{\\rtf'))) throw new DamagedFile();
      const builder = new TextBuilder(limits);
      const document = new RtfDocument(new RtfBody(new FlowWriter(builder), builder), limits);
      document.read(bytes);
      const { facts } = document;
      const metadata = {
        title: factOf(facts.get('title')),
        author: factOf(facts.get('author')),
        date: dateOf(facts.date('revtim') ?? facts.date('creatim')),
      };
      return { document: builder.build(metadata), attachments: [] };
    });
  }
}
