import type { FieldsData } from '@kenjiuno/msgreader';
import { dateOf } from '../../text-builder';

const APPOINTMENT = /^IPM\.(?:Appointment|Schedule\.Meeting)/i;
const CONTACT = /^IPM\.Contact/i;

const timeOf = (value: string | undefined): string | undefined => {
  const date = dateOf(value);
  return date === null ? undefined : `${date.slice(0, 16).replace('T', ' ')} UTC`;
};

const joined = (...values: (string | undefined)[]): string | undefined =>
  values.filter((value) => value !== undefined && value.trim() !== '').join(' ');

/** What Outlook shows of an appointment or a contact beside its text, a line each. */
export const itemLines = (fields: FieldsData): string[] => {
  const { messageClass = '' } = fields;
  const lines: (readonly [label: string, value: string | undefined])[] = [];
  if (APPOINTMENT.test(messageClass))
    lines.push(
      ['Location', fields.apptLocation ?? fields.location],
      ['Start', timeOf(fields.apptStartWhole ?? fields.clipStart)],
      ['End', timeOf(fields.apptEndWhole ?? fields.clipEnd)],
    );
  if (CONTACT.test(messageClass))
    lines.push(
      ['Name', joined(fields.givenName, fields.middleName, fields.surname)],
      ['Company', fields.companyName],
      ['Title', fields.title],
      ['Business phone', fields.businessTelephoneNumber],
      ['Mobile phone', fields.mobileTelephoneNumber],
      ['Home phone', fields.homeTelephoneNumber],
      ['Address', fields.workAddress ?? fields.postalAddress],
    );
  return lines.flatMap(([label, value = '']) => (value.trim() === '' ? [] : [`${label}: ${value.trim()}`]));
};
