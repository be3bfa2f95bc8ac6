import type { Mail } from '@acervo/platform-mail';

const MOST_NAME = 80;
const NO_PART_OF_A_NAME = /[^\p{L}\p{M}\p{N} '’,.-]+/gu;
/** Between two characters that are not blank a dot makes a host, which mail programs turn into a link. */
const DOTS_OF_A_HOST = /(?<!\.)\.+(?=[^\s.])/gu;

/** A name as one line without links: a stranger who registers an address chooses the name that its owner reads. */
const asLine = (name: string): string => {
  const line = name.replace(NO_PART_OF_A_NAME, ' ').replace(DOTS_OF_A_HOST, ' ').replace(/ +/g, ' ').trim();
  return [...line].slice(0, MOST_NAME).join('').trimEnd();
};

const greeting = (name: string): string => {
  const line = asLine(name);
  return line === '' ? 'Hola:' : `Hola, ${line}:`;
};

/** A link that sets the password of one account. */
export interface AccountLink {
  readonly groupName: string;
  readonly link: string;
}

const SEVERAL = 'Esta dirección tiene una cuenta en cada uno de estos grupos; quedará la primera que confirme.';

const listed = (links: readonly AccountLink[]): readonly string[] =>
  links.length < 2
    ? links.map(({ link }) => link)
    : [SEVERAL, ...links.flatMap(({ groupName, link }) => ['', `${asLine(groupName)}:`, link])];

const signed = (lines: readonly string[]): string => [...lines, '', 'Acervo'].join('\n');

/** The mails that people get, in Spanish. */
export const mailTemplates = {
  invitation: (to: string, name: string, links: readonly AccountLink[]): Mail => ({
    to,
    subject: 'Confirme su cuenta de Acervo',
    text: signed([
      greeting(name),
      '',
      'Para confirmar su dirección y elegir su contraseña, abra este enlace. Sirve una sola vez y vence en 72 horas.',
      '',
      ...listed(links),
      '',
      'Si no esperaba este mensaje, puede ignorarlo.',
    ]),
  }),
  recovery: (to: string, name: string, links: readonly AccountLink[]): Mail => ({
    to,
    subject: 'Cambie su contraseña de Acervo',
    text: signed([
      greeting(name),
      '',
      'Alguien pidió cambiar la contraseña de esta cuenta. Si fue usted, abra este enlace. Sirve una sola vez y vence en una hora.',
      '',
      ...listed(links),
      '',
      'Si no lo pidió, ignore este mensaje: su contraseña sigue siendo la misma.',
    ]),
  }),
} as const;
