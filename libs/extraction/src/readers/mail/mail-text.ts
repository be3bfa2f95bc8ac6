import { FlowWriter } from '../../flow-writer';
import type { Attachment, Extraction, ReadLimits } from '../../reader';
import { dateOf, factOf, oneLine, TextBuilder } from '../../text-builder';
import { Hypertext } from '../epub';
import { bodyParts } from './alternatives';

/** A mail, independent of its file format. */
export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  /** Date by the mail, not normalised. */
  readonly date: string | undefined;
  readonly subject: string | undefined;
  /** Writes the body. */
  readonly body: (builder: TextBuilder) => void;
  readonly attachments: readonly Attachment[];
}

/** A person in a mail: `Ana Gil <ana@example.org>`. */
export const personOf = (name: string | undefined, address: string | undefined): string => {
  if (address === undefined || address === '' || address === name) return oneLine(name ?? '');
  return name === undefined || name === '' ? address : oneLine(`${name} <${address}>`);
};

/** Body of a mail without HTML: its line breaks are kept. */
export const writePlain = (builder: TextBuilder, text: string): void => {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trimEnd());
  builder.paragraph(lines.join('\n').replace(/\n{3,}/g, '\n\n'));
};

/** Body of a mail in HTML. */
export const writeHtml = (builder: TextBuilder, html: string, limits: ReadLimits): void => {
  const flow = new FlowWriter(builder);
  const page = new Hypertext(flow, limits);
  page.write(html);
  page.end();
  flow.end();
};

/** What a person reads where the content is encrypted. */
export const ENCRYPTED = 'El contenido está cifrado para su destinatario y no se puede leer.';

/** The fuller of the two bodies of a mail, or both. */
export const writeFuller = (builder: TextBuilder, text: string, html: string, limits: ReadLimits): void => {
  for (const part of bodyParts(text, html)) {
    if (part === 'plain') writePlain(builder, text);
    else writeHtml(builder, html, limits);
  }
};

/** The text of a mail: sender, recipients, date and subject, then the body. */
export const composeMail = (mail: Mail, limits: ReadLimits): Extraction => {
  const builder = new TextBuilder(limits);
  const date = dateOf(mail.date);
  const lines: readonly (readonly [string, string])[] = [
    ['From', mail.from],
    ['To', mail.to],
    ['Cc', mail.cc],
    ['Date', date === null ? '' : `${date.slice(0, 16).replace('T', ' ')} UTC`],
    ['Subject', oneLine(mail.subject ?? '')],
    ['Attachments', mail.attachments.map(({ name }) => name).join(', ')],
  ];
  for (const [label, value] of lines) if (value !== '') builder.line(`${label}: ${value}`);
  mail.body(builder);
  const facts = { title: factOf(mail.subject), author: factOf(mail.from), date };
  return { document: builder.build(facts), attachments: mail.attachments };
};
