import fc from 'fast-check';
import type { ClassifiableDocument, ModelFindings } from './classified';
import { Classifier } from './classifier';
import { DocumentReading } from './reading';
import { type ExampleProfile, openingText } from './similarity/example-profile';
import type { BoundaryRule, DocumentType, Taxonomy } from '../taxonomy/taxonomy';

const documentOf = (text: string, rest: Partial<ClassifiableDocument> = {}): ClassifiableDocument => ({
  ...{ documentId: 'd', entityCode: 'E', name: 'a.txt', path: '/a.txt', title: null },
  ...{ language: 'en', pageStarts: [], text, ...rest },
});
interface TypeOptions extends Partial<Omit<DocumentType, 'boundary'>> {
  readonly includes?: string;
  readonly excludes?: string;
  readonly rules?: readonly BoundaryRule[];
}
const typeOf = (
  code: string,
  { includes = '', excludes = '', rules = [], ...rest }: TypeOptions = {},
): DocumentType => ({
  ...{ code, name: code, description: '', parentCode: null, entityCode: null },
  ...rest,
  boundary: { includes, excludes, rules, examples: [] },
});
const taxonomyOf = (...types: DocumentType[]): Taxonomy => ({ version: 1, types, categories: [], features: [] });
const requires = (value: string): BoundaryRule => ({ field: 'TEXT', match: 'CONTAINS', value, effect: 'REQUIRES' });
const excludes = (value: string): BoundaryRule => ({ ...requires(value), effect: 'EXCLUDES' });

const flights = typeOf('FLIGHTS', {
  includes: 'Aircraft, wings, lift, drag, wind tunnels, flutter and hypersonic flow of air over bodies.',
});
const medicine = typeOf('MEDICINE', {
  includes: 'Patients, diseases, diagnosis, drugs, surgery, blood, hormones and clinical treatment.',
});
const patient = documentOf('The patient was treated with drugs against the disease, and surgery was avoided.');

describe('types by rules', () => {
  it('a rule that cannot be compiled takes its type away, and no other', () => {
    const broken = typeOf('BROKEN', { rules: [{ ...requires('['), match: 'PATTERN' }] });
    expect(new Classifier(taxonomyOf(broken, medicine), []).decide(patient, null).typeCode).toBe('MEDICINE');
  });
  it('rules decide before similarity', () => {
    const classifier = new Classifier(taxonomyOf(medicine, typeOf('LETTER', { rules: [requires('was treated')] })), []);
    expect(classifier.decide(patient, null)).toMatchObject({ typeCode: 'LETTER', source: 'RULE', score: 1 });
    expect(classifier.decide(patient, null).evidence.map(({ quote }) => quote)).toEqual(['was treated']);
  });
  it('the deepest type that matches wins, and its parent is no rival', () => {
    const parent = typeOf('A', { rules: [requires('patient')] });
    const child = typeOf('B', { parentCode: 'A', rules: [requires('drugs')] });
    const decision = new Classifier(taxonomyOf(parent, child), []).decide(patient, null);
    expect(decision).toMatchObject({ typeCode: 'B', runnerUp: null, margin: 1 });
  });
  it('a document that the parent does not admit never enters the child', () => {
    const parent = typeOf('A', { rules: [excludes('patient')] });
    const child = typeOf('B', { parentCode: 'A', rules: [requires('drugs')] });
    expect(new Classifier(taxonomyOf(parent, child), []).decide(patient, null).typeCode).toBeNull();
  });
  it('equal rules are decided by similarity, then by code, without a margin', () => {
    const rules = [requires('patient')];
    const similar = new Classifier(
      taxonomyOf(typeOf('A', { rules }), {
        ...medicine,
        ...typeOf('M', { rules, includes: medicine.boundary.includes }),
      }),
      [],
    );
    expect(similar.decide(patient, null)).toMatchObject({ typeCode: 'M', runnerUp: 'A', margin: 0 });
    const equal = new Classifier(taxonomyOf(typeOf('B', { rules }), typeOf('A', { rules })), []);
    expect(equal.decide(patient, null).typeCode).toBe('A');
  });
  it('an excluded document has no type by similarity either', () => {
    const type = typeOf('M', { includes: medicine.boundary.includes, rules: [excludes('surgery')] });
    expect(new Classifier(taxonomyOf(type), []).decide(patient, null).typeCode).toBeNull();
  });
  it('a type of another entity is no candidate', () => {
    const classifier = new Classifier(taxonomyOf(typeOf('A', { entityCode: 'X', rules: [requires('patient')] })), []);
    expect(classifier.decide(patient, null).typeCode).toBeNull();
    expect(classifier.decide({ ...patient, entityCode: 'X' }, null).typeCode).toBe('A');
  });
});

describe('types by similarity', () => {
  const classifier = new Classifier(taxonomyOf(flights, medicine), []);
  it('a document has the nearest type, with literal evidence', () => {
    const decision = classifier.decide(patient, null);
    expect(decision).toMatchObject({ typeCode: 'MEDICINE', source: 'SIMILARITY' });
    expect(decision.evidence.map(({ quote }) => quote)).toEqual([patient.text]);
  });
  it('a document on something else has no type', () => {
    const text = 'The parish choir sings in the old town hall every Sunday before the market opens its gates.';
    expect(classifier.decide(documentOf(text), null)).toMatchObject({ typeCode: null, source: null, evidence: [] });
  });
  it('one type alone is enough', () => {
    expect(new Classifier(taxonomyOf(medicine), []).decide(patient, null).typeCode).toBe('MEDICINE');
  });
  it('a child over the threshold comes before its parent', () => {
    const child = typeOf('SURGERY', {
      parentCode: 'MEDICINE',
      includes: 'Surgery and operations on patients, with drugs.',
    });
    expect(new Classifier(taxonomyOf(medicine, child, flights), []).decide(patient, null).typeCode).toBe('SURGERY');
  });
  it('an example adds its words to the type', () => {
    const text = 'Minutes of the parish choir: rehearsals, hymns, organ, conductor and the sopranos.';
    const example: ExampleProfile = { typeCode: 'CHOIR', role: 'EXAMPLE', text, language: 'en', vector: null };
    const types = taxonomyOf(flights, medicine, typeOf('CHOIR'));
    const hymns = documentOf('The organ and the conductor of the choir practised hymns with the sopranos.');
    expect(new Classifier(types, []).decide(hymns, null).typeCode).toBeNull();
    expect(new Classifier(types, [example]).decide(hymns, null).typeCode).toBe('CHOIR');
  });
  it('a near vector raises a type, whatever the floor of the embedder', () => {
    const vector = (x: number) => Float32Array.from([x, Math.sqrt(1 - x * x)]);
    const profile: ExampleProfile = {
      ...{ typeCode: 'MEDICINE', role: 'INCLUDES', text: '', language: null, vector: vector(1) },
    };
    const near = documentOf('Quite other words altogether, without anything shared.');
    for (const floor of [0.1, 0.78]) {
      const decided = new Classifier(taxonomyOf(flights, medicine), [profile], floor);
      expect(decided.decide(near, vector(floor + 0.5 * (1 - floor))).typeCode).toBe('MEDICINE');
      expect(decided.decide(near, vector(floor)).typeCode).toBeNull();
    }
  });
  it('what a boundary excludes lowers the score', () => {
    const narrow = typeOf('MEDICINE', {
      includes: medicine.boundary.includes,
      excludes: 'Surgery and drugs of patients.',
    });
    const score = (type: DocumentType) => new Classifier(taxonomyOf(flights, type), []).decide(patient, null).score;
    expect(score(narrow)).toBeLessThan(score(medicine));
  });
  it('scores and margins lie between 0 and 1, and the same document gets the same decision', () => {
    const words = fc.array(fc.constantFrom('patient', 'wing', 'drag', 'blood', 'choir', '12', 'ñ', '\ud800'), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(words, (all) => {
        const document = documentOf(all.join(' '));
        const decision = classifier.decide(document, null);
        expect(decision).toEqual(classifier.decide(document, null));
        for (const value of [decision.score, decision.margin]) expect(value >= 0 && value <= 1).toBe(true);
        for (const { quote, startAt, endAt } of decision.evidence)
          expect(quote).toBe(document.text.slice(startAt, endAt));
      }),
    );
  });
  it('a title that the text repeats is embedded once', () => {
    expect(openingText({ title: 'A', text: 'A b' })).toBe('A b');
    expect(openingText({ title: 'T', text: 'A b' })).toBe('T\nA b');
  });
});

describe('features of a type', () => {
  it('a type has the features of the types above it', () => {
    const feature = { name: 'F', rule: { pattern: null, phrases: { en: ['drugs'] } }, prompt: null };
    const category = { name: '', description: '', kind: 'CHARACTERISTIC' as const, valueKind: null };
    const classifier = new Classifier(
      {
        ...taxonomyOf(typeOf('A'), typeOf('B', { parentCode: 'A' }), typeOf('C')),
        categories: [{ ...category, code: 'X', typeCode: 'A' }],
        features: [{ ...feature, categoryCode: 'X', code: 'F' }],
      },
      [],
    );
    expect(classifier.features(patient, 'B').map(({ code }) => code)).toEqual(['F']);
    expect(classifier.features(patient, 'C')).toEqual([]);
  });
  it('rules and features share one folded text', () => {
    const category = { ...{ code: 'K', typeCode: 'A', name: '', description: '' }, kind: 'CHARACTERISTIC' } as const;
    const rule = { pattern: null, phrases: { en: ['surgery'] } };
    const classifier = new Classifier(
      {
        ...taxonomyOf(typeOf('A', { rules: [requires('patient')] })),
        categories: [{ ...category, valueKind: null }],
        features: [{ categoryCode: 'K', code: 'F', name: '', rule, prompt: null }],
      },
      [],
    );
    const read = jest.spyOn(DocumentReading.prototype, 'text', 'get');
    expect(classifier.classify(patient, null)).toMatchObject({
      decision: { typeCode: 'A' },
      features: [{ code: 'F' }],
    });
    expect(new Set(read.mock.contexts).size).toBe(1);
    read.mockRestore();
  });
});

describe('what a model found', () => {
  const quote = 'The patient was treated';
  const findings: ModelFindings = {
    choice: { typeCode: 'FLIGHTS', evidence: { page: null, startAt: 0, endAt: quote.length, quote } },
    features: [],
  };
  const classify = (types: readonly DocumentType[], found: ModelFindings, document = patient) =>
    new Classifier(taxonomyOf(...types), []).classify(document, null, found);

  it('the choice counts where no type is similar enough, with its evidence', () => {
    const { decision, candidates } = classify([typeOf('FLIGHTS'), typeOf('LETTER')], findings);
    expect(decision).toMatchObject({ typeCode: 'FLIGHTS', source: 'MODEL', evidence: [{ quote }] });
    expect(candidates).toEqual(['FLIGHTS', 'LETTER']);
  });

  it('similarity with a clear lead leaves no candidate, and no choice counts', () => {
    const { decision, candidates } = classify([flights, medicine], findings);
    expect([decision.typeCode, decision.source, candidates]).toEqual(['MEDICINE', 'SIMILARITY', []]);
  });

  it('a small lead leaves the types that are close, and the choice counts', () => {
    const close = typeOf('CLINIC', { includes: medicine.boundary.includes });
    const { candidates } = classify([flights, medicine, close], findings);
    expect(candidates).toEqual(['CLINIC', 'MEDICINE']);
    const choice = { ...findings.choice, typeCode: 'MEDICINE' } as ModelFindings['choice'];
    expect(classify([flights, medicine, close], { ...findings, choice }).decision).toMatchObject({
      ...{ typeCode: 'MEDICINE', source: 'MODEL' },
    });
  });

  it('a rule comes before the choice, and leaves no candidate', () => {
    const ruled = typeOf('LETTER', { rules: [requires('was treated')] });
    const { decision, candidates } = classify([typeOf('FLIGHTS'), ruled], findings);
    expect([decision.typeCode, decision.source, candidates]).toEqual(['LETTER', 'RULE', []]);
  });

  it.each([
    [
      'a type that rules do not admit',
      [typeOf('FLIGHTS', { rules: [excludes('patient')] }), typeOf('LETTER')],
      patient,
    ],
    ['a type of another entity', [typeOf('FLIGHTS', { entityCode: 'OTHER' }), typeOf('LETTER')], patient],
    ['a type that is gone', [typeOf('LETTER')], patient],
    ['evidence that another text had', [typeOf('FLIGHTS')], documentOf('Another text altogether.')],
  ])('the choice does not count with %s', (_name, types, document) => {
    expect(classify(types, findings, document).decision.source).not.toBe('MODEL');
  });

  it('at most twelve types are left, the nearest first', () => {
    const many = Array.from({ length: 20 }, (_, at) => typeOf(`T${at + 10}`));
    expect(classify(many, findings).candidates).toHaveLength(12);
  });
});
