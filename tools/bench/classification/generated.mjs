// Contracts and invoices in Spanish and English: what they state, in the notations of each language, beside decoys.
import { numbers } from '../texts.mjs';

const people = ['Marta Ibáñez Soto', 'John A. Miller', 'Łukasz Nowak', 'María José Peña', "Sean O'Brien", 'Hans Groß'];
const companies = [
  'Regadíos del Duero S.L.',
  'Northfield Water Ltd',
  'Almacenes Ñuño, S.A.',
  'Smith & Sons LLC',
  'Obras 2000 S.L.U.',
];
const months = {
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
  en: 'January February March April May June July August September October November December'.split(' '),
};
const pad = (number) => String(number).padStart(2, '0');
const suffix = (day) =>
  day % 10 === 1 && day !== 11
    ? 'st'
    : day % 10 === 2 && day !== 12
      ? 'nd'
      : day % 10 === 3 && day !== 13
        ? 'rd'
        : 'th';

const dates = {
  es: [
    (y, m, d) => `${d} de ${months.es[m - 1]} de ${y}`,
    (y, m, d) => `${pad(d)}/${pad(m)}/${y}`,
    (y, m, d) => `${d}-${m}-${y}`,
    (y, m, d) => `${d} de ${months.es[m - 1]} del ${y}`,
    (y, m, d) => `${pad(d)}.${pad(m)}.${y}`,
    (y, m, d) => `${d} ${months.es[m - 1].slice(0, 3)}. ${y}`,
    (y, m, d) => `${y}-${pad(m)}-${pad(d)}`,
  ],
  en: [
    (y, m, d) => `${months.en[m - 1]} ${d}${suffix(d)}, ${y}`,
    (y, m, d) => `${months.en[m - 1]} ${d}, ${y}`,
    (y, m, d) => `${d} ${months.en[m - 1]} ${y}`,
    (y, m, d) => `${d}${suffix(d)} of ${months.en[m - 1]} ${y}`,
    (y, m, d) => `${pad(d)}/${pad(m)}/${y}`,
    (y, m, d) => `${months.en[m - 1].slice(0, 3)}. ${d}, ${y}`,
    (y, m, d) => `${y}-${pad(m)}-${pad(d)}`,
  ],
};
const grouped = (cents, locale) =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: 'always' }).format(cents / 100);
const amounts = {
  es: [
    (cents) => [`${grouped(cents, 'es')} €`, 'EUR'],
    (cents) => [`${grouped(cents, 'es')} euros`, 'EUR'],
    (cents) => [`${grouped(cents, 'es')} EUR`, 'EUR'],
    (cents) => [`${grouped(cents, 'es').replaceAll('.', ' ')} €`, 'EUR'],
    (cents) => [`${grouped(cents, 'es')} dólares`, 'USD'],
  ],
  en: [
    (cents) => [`€${grouped(cents, 'en')}`, 'EUR'],
    (cents) => [`EUR ${grouped(cents, 'en')}`, 'EUR'],
    (cents) => [`$${grouped(cents, 'en')}`, 'USD'],
    (cents) => [`£ ${grouped(cents, 'en')}`, 'GBP'],
    (cents) => [`${grouped(cents, 'en')} euros`, 'EUR'],
  ],
};

/** One document: its text, and what it states by feature. */
class Draft {
  constructor(random, language) {
    this.random = random;
    this.language = language;
    this.stated = new Map();
  }
  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }
  number(from, to) {
    return from + Math.floor(this.random() * (to - from + 1));
  }
  state(code, written, value) {
    this.stated.set(code, { written, value });
    return written;
  }
  date(code) {
    const [y, m, d] = [this.number(1998, 2026), this.number(1, 12), this.number(1, 28)];
    const written = this.pick(dates[this.language])(y, m, d);
    return code === undefined ? written : this.state(code, written, `${y}-${pad(m)}-${pad(d)}`);
  }
  amount(code) {
    const cents = this.pick([this.number(100, 99_999), this.number(100_000, 9_999_999), 100 * this.number(1, 90_000)]);
    const [written, currency] = this.pick(amounts[this.language])(cents);
    return code === undefined ? written : this.state(code, written, `${(cents / 100).toFixed(2)} ${currency}`);
  }
  name(code, list) {
    const written = this.pick(list);
    return this.state(code, written, written);
  }
  reference(code, prefix) {
    const written = `${prefix}${this.number(2001, 2026)}/${pad(this.number(1, 9999))}${this.pick(['', '-B', '-R1'])}`;
    return this.state(code, written, written);
  }
  yesNo(code, yes, no) {
    const isYes = this.random() < 0.5;
    return this.state(code, isYes ? yes : no, String(isYes));
  }
  /** With its phrase in some documents, without it in others. */
  clause(code, phrase, sentence, otherwise) {
    if (this.random() < 0.5) return otherwise;
    this.state(code, phrase, null);
    return sentence;
  }
}

const contractEs = (d) => `CONTRATO DE ARRENDAMIENTO

${d.pick(['Referencia', 'N.º de expediente', 'Expediente n.º'])}: ${d.reference('REFERENCE', 'CTR-')}
${d.pick(['Fecha de firma: ', 'Firmado en Soria el ', 'FECHA DE LA FIRMA — '])}${d.date('SIGNED')}
Arrendador: ${d.name('LANDLORD', [...people, ...companies])}; con domicilio en calle Mayor ${d.number(1, 90)}
Arrendatario: ${d.name('TENANT', people)}
nacido el ${d.date()}, teléfono 975 ${d.number(100, 999)} ${d.number(100, 999)}.

Este contrato se rige por la Ley 29/1994, de 24 de noviembre, y sustituye al de fecha ${d.date()}.
${d.pick(['La renta mensual será de', 'Renta mensual:', 'La renta mensual es de'])} ${d.amount('RENT')}. La fianza es de ${d.amount()} y los gastos de comunidad, ${d.amount()}.
${d.pick(['Fecha de vencimiento', 'Vencimiento del contrato'])}: ${d.date('EXPIRES')}. Cualquier revisión se hará antes del ${d.date()}.
Prórroga automática: ${d.yesNo('RENEWAL', d.pick(['Sí', 'sí', 'SI']), d.pick(['No', 'NO']))}.
${d.clause('FORCE_MAJEURE', 'fuerza mayor', 'Ninguna parte responde en casos de fuerza mayor.', 'La fuerza de la costumbre, mayor o menor, no obliga.')}
`;
const contractEn = (d) => `LEASE AGREEMENT

${d.pick(['Reference', 'File no.', 'Reference No.'])}: ${d.reference('REFERENCE', 'LSE-')}
${d.pick(['Date of signature: ', 'Signed in Leeds on ', 'Signing date - '])}${d.date('SIGNED')}
Landlord: ${d.name('LANDLORD', [...people, ...companies])}; of ${d.number(1, 90)} High Street
Tenant: ${d.name('TENANT', people)}
born on ${d.date()}, telephone 0113 ${d.number(100, 999)} ${d.number(1000, 9999)}.

This lease is governed by the Housing Act 1988 of 15 November and replaces that of ${d.date()}.
${d.pick(['The monthly rent is', 'Monthly rent:', 'The monthly rent shall be'])} ${d.amount('RENT')}. The deposit is ${d.amount()} and service charges are ${d.amount()}.
${d.pick(['Expiry date', 'Date of expiry'])}: ${d.date('EXPIRES')}. Any review takes place before ${d.date()}.
Automatic renewal: ${d.yesNo('RENEWAL', d.pick(['Yes', 'yes', 'YES']), d.pick(['No', 'NO']))}.
${d.clause('FORCE_MAJEURE', 'force majeure', 'No party is liable in cases of force majeure.', 'The force of habit, however major, does not bind.')}
`;
const invoiceEs = (d) => `FACTURA

${d.pick(['Factura n.º', 'Número de factura', 'Nº de factura'])}: ${d.reference('INVOICE', 'F')}
Su pedido: P${d.number(2001, 2026)}/${d.number(100, 999)}
${d.pick(['Fecha de emisión', 'Fecha de factura', 'Fecha de expedición'])}: ${d.date('ISSUED')}
${d.pick(['Vence el', 'Fecha de vencimiento', 'Vencimiento'])}: ${d.date('DUE')}   Fecha de entrega: ${d.date()}
Emisor: ${d.name('ISSUER', companies)}
NIF: B${d.number(10_000_000, 99_999_999)}   IBAN ES12 ${d.number(1000, 9999)} ${d.number(1000, 9999)} 4567

${d.number(1, 40)} uds. de tubería de 1.200 mm a ${d.amount()}
Base imponible: ${d.amount()}
IVA (21 %): ${d.amount()}
${d.pick(['TOTAL A PAGAR', 'Total factura', 'Importe total'])}: ${d.amount('TOTAL')}
Pagada: ${d.yesNo('PAID', 'sí', 'no')}
${d.clause('REVERSE_CHARGE', 'inversión del sujeto pasivo', 'Operación con inversión del sujeto pasivo.', 'La inversión en el sujeto activo no consta.')}
`;
const invoiceEn = (d) => `INVOICE

${d.pick(['Invoice no.', 'Invoice number', 'Invoice No'])}: ${d.reference('INVOICE', 'INV-')}
Your order: P${d.number(2001, 2026)}/${d.number(100, 999)}
${d.pick(['Date of issue', 'Invoice date', 'Issue date'])}: ${d.date('ISSUED')}
${d.pick(['Due date', 'Payment due on', 'Payable by'])}: ${d.date('DUE')}   Date of delivery: ${d.date()}
Issuer: ${d.name('ISSUER', companies)}
VAT no. GB${d.number(100_000_000, 999_999_999)}   Sort code 12-${d.number(10, 99)}-${d.number(10, 99)}

${d.number(1, 40)} pipes of 1,200 mm at ${d.amount()}
Subtotal: ${d.amount()}
VAT (20 %): ${d.amount()}
${d.pick(['TOTAL DUE', 'Invoice total', 'Amount due'])}: ${d.amount('TOTAL')}
Paid: ${d.yesNo('PAID', 'yes', 'no')}
${d.clause('REVERSE_CHARGE', 'reverse charge', 'This supply is under the reverse charge.', 'Charges in reverse order are not accepted.')}
`;
const kinds = [
  ['CONTRACT', 'es', contractEs],
  ['INVOICE', 'es', invoiceEs],
  ['CONTRACT', 'en', contractEn],
  ['INVOICE', 'en', invoiceEn],
];

/** Documents with what each states: by feature what is written, and its canonical value. */
export const generated = (seed, count) => {
  const random = numbers(seed);
  return Array.from({ length: count }, (_, index) => {
    const [typeCode, language, write] = kinds[index % kinds.length];
    const draft = new Draft(random, language);
    return { typeCode, language, text: write(draft), stated: draft.stated };
  });
};

const type = (code) => ({
  ...{ code, name: code, description: '', parentCode: null, entityCode: null },
  boundary: { includes: '', excludes: '', rules: [], examples: [] },
});
const category = (typeCode, valueKind) => ({
  ...{ code: `${typeCode}_${valueKind ?? 'CLAUSES'}`, typeCode, name: '', description: '', valueKind },
  kind: valueKind === null ? 'CHARACTERISTIC' : 'ATTRIBUTE',
});
const feature = (categoryCode, code, rule) => ({
  ...{ categoryCode, code, name: code, prompt: null },
  rule: { pattern: null, phrases: {}, ...rule },
});
const phrases = (es, en) => ({ phrases: { es, en } });
const party = (es, en) => ({ pattern: `(?m)^(?:${es}|${en}): *(?P<value>[^;\\n]+?) *(?:;|$)` });
const numbered = (label) => ({ pattern: `(?im)^(?:${label})[ :]*(?P<value>[A-Z-]*\\d{4}/\\d+(?:-[A-Z]\\d?)?) *$` });

/** The rules that an administrator would write for such documents. */
export const taxonomy = {
  version: 1,
  types: [type('CONTRACT'), type('INVOICE')],
  categories: ['CONTRACT', 'INVOICE'].flatMap((code) =>
    ['DATE', 'AMOUNT', 'TEXT', 'BOOLEAN', null].map((kind) => category(code, kind)),
  ),
  features: [
    feature(
      'CONTRACT_TEXT',
      'REFERENCE',
      numbered('referencia|n\\.º de expediente|expediente n\\.º|reference(?: no\\.)?|file no\\.'),
    ),
    feature('CONTRACT_DATE', 'SIGNED', {
      pattern: '(?i)\\b(?:firmado en \\pL+ el|signed in \\pL+ on) (?P<value>[^\\n]+)',
      ...phrases(['fecha de firma', 'fecha de la firma'], ['date of signature', 'signing date']),
    }),
    feature(
      'CONTRACT_DATE',
      'EXPIRES',
      phrases(['fecha de vencimiento', 'vencimiento del contrato'], ['expiry date', 'date of expiry']),
    ),
    feature('CONTRACT_TEXT', 'LANDLORD', party('Arrendador', 'Landlord')),
    feature('CONTRACT_TEXT', 'TENANT', party('Arrendatario', 'Tenant')),
    feature(
      'CONTRACT_AMOUNT',
      'RENT',
      phrases(['renta mensual', 'renta mensual será'], ['monthly rent', 'monthly rent shall be']),
    ),
    feature('CONTRACT_BOOLEAN', 'RENEWAL', phrases(['prórroga automática'], ['automatic renewal'])),
    feature('CONTRACT_CLAUSES', 'FORCE_MAJEURE', phrases(['fuerza mayor'], ['force majeure'])),
    feature(
      'INVOICE_TEXT',
      'INVOICE',
      numbered('factura n\\.º|número de factura|nº de factura|invoice (?:no\\.?|number)'),
    ),
    feature(
      'INVOICE_DATE',
      'ISSUED',
      phrases(
        ['fecha de emisión', 'fecha de factura', 'fecha de expedición'],
        ['date of issue', 'invoice date', 'issue date'],
      ),
    ),
    feature(
      'INVOICE_DATE',
      'DUE',
      phrases(['vence', 'fecha de vencimiento', 'vencimiento'], ['due date', 'payment due', 'payable by']),
    ),
    feature('INVOICE_TEXT', 'ISSUER', party('Emisor', 'Issuer')),
    feature(
      'INVOICE_AMOUNT',
      'TOTAL',
      phrases(['total a pagar', 'total factura', 'importe total'], ['total due', 'invoice total', 'amount due']),
    ),
    feature('INVOICE_BOOLEAN', 'PAID', phrases(['pagada'], ['paid'])),
    feature('INVOICE_CLAUSES', 'REVERSE_CHARGE', phrases(['inversión del sujeto pasivo'], ['reverse charge'])),
  ],
};
