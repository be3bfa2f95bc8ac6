import { cardText, charactersOf } from '../text';
import { contentOf, type MimePart } from './mime-tree';

/** What people see of an appointment. */
const SHOWN = /^(?:SUMMARY|LOCATION|DTSTART|DTEND|ORGANIZER|ATTENDEE|DESCRIPTION|STATUS)[;:]/i;
const NAME = /;CN="?([^";:]{1,200})/i;
const MAILBOX = /^mailto:/i;

const lineOf = (line: string): string => {
  const [property = ''] = line.split(/[;:]/, 1);
  const colon = line.indexOf(':', property.length);
  const value = line.slice(colon + 1).replace(MAILBOX, '');
  const name = NAME.exec(line.slice(0, colon))?.[1];
  return `${property}: ${name === undefined ? value : `${name} <${value}>`}`;
};

/** Appointments in the body of a mail, and not as its attachments. */
export const isInvitation = ({ type, headers }: MimePart): boolean =>
  type === 'text/calendar' && !/name\s{0,9}=|^attachment/i.test(headers.get('content-disposition') ?? '');

export const invitationText = (part: MimePart): string =>
  cardText(charactersOf(contentOf(part)))
    .split('\n')
    .filter((line) => SHOWN.test(line))
    .map(lineOf)
    .join('\n');
