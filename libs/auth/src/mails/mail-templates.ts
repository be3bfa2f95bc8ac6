import type { Mail } from '@acervo/platform-mail';

const signed = (lines: readonly string[]): string => [...lines, '', 'Acervo'].join('\n');

/** The mails that people get, in Spanish. */
export const mailTemplates = {
  invitation: (to: string, name: string, link: string): Mail => ({
    to,
    subject: 'Confirme su cuenta de Acervo',
    text: signed([
      `Hola, ${name}:`,
      '',
      'Para confirmar su dirección y elegir su contraseña, abra este enlace. Sirve una sola vez y vence en 72 horas.',
      '',
      link,
      '',
      'Si no esperaba este mensaje, puede ignorarlo.',
    ]),
  }),
  recovery: (to: string, name: string, link: string): Mail => ({
    to,
    subject: 'Cambie su contraseña de Acervo',
    text: signed([
      `Hola, ${name}:`,
      '',
      'Alguien pidió cambiar la contraseña de esta cuenta. Si fue usted, abra este enlace. Sirve una sola vez y vence en una hora.',
      '',
      link,
      '',
      'Si no lo pidió, ignore este mensaje: su contraseña sigue siendo la misma.',
    ]),
  }),
} as const;
