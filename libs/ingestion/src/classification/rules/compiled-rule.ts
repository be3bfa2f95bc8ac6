import { NamePattern } from '@acervo/files';
import type { DocumentReading } from '../reading';
import type { BoundaryRule } from '../../taxonomy/taxonomy';
import { comparable } from '../../taxonomy/patterns/folded-text';
import { Pattern, RuleUnusable } from '../../taxonomy/patterns/pattern';

/** Characters of a text that a glob reads. */
const GLOB_READS = 4_096;

interface Range {
  readonly start: number;
  readonly end: number;
}

type ShortTest = (text: string, comparableText: () => string) => boolean;
interface Test {
  readonly matches: (reading: DocumentReading) => boolean;
  /** The range of the text that matched; undefined where the rule reads no text. */
  readonly range: (reading: DocumentReading) => Range | undefined;
}

const glob = (value: string): NamePattern => {
  const pattern = NamePattern.of(comparable(value));
  if (pattern === undefined) throw new RuleUnusable('The pattern of names has a class that is not closed.');
  return pattern;
};

const shortTest = ({ match, value }: BoundaryRule): ShortTest => {
  const sought = comparable(value).trim();
  switch (match) {
    case 'EQUALS':
      return (_text, folded) => folded().trim() === sought;
    case 'CONTAINS':
      return (_text, folded) => folded().includes(sought);
    case 'GLOB': {
      const pattern = glob(value);
      return (_text, folded) => pattern.matches(folded());
    }
    case 'PATTERN': {
      const pattern = Pattern.of(value);
      return (text) => pattern.matchesShort(text);
    }
  }
};

const whole = ({ text }: DocumentReading): Range => ({ start: 0, end: text.text.length });

const containsText = (sought: string): Test => ({
  matches: ({ text }) => text.folded.includes(sought),
  range: ({ text }) => {
    const place = text.folded.indexOf(sought);
    return text.range(place, place + sought.length);
  },
});

const patternInText = (value: string): Test => {
  const pattern = Pattern.of(value);
  return {
    matches: ({ text }) => pattern.isIn(text),
    range: ({ text }) => {
      for (const { start, end } of pattern.matches(text)) return { start, end };
      return undefined;
    },
  };
};

const textTest = ({ match, value }: BoundaryRule): Test => {
  const sought = comparable(value).trim();
  switch (match) {
    case 'EQUALS':
      return { matches: ({ text }) => text.folded.trim() === sought, range: whole };
    case 'CONTAINS':
      return containsText(sought);
    case 'GLOB': {
      const pattern = glob(value);
      return { matches: ({ text }) => pattern.matches(text.folded.slice(0, GLOB_READS)), range: whole };
    }
    case 'PATTERN':
      return patternInText(value);
  }
};

const withoutSlash = (path: string): string => path.replace(/^\//, '');

const shortField = (rule: BoundaryRule, reading: DocumentReading): string => {
  const { name, path, language } = reading.document;
  if (rule.field === 'NAME') return name;
  return rule.field === 'PATH' ? withoutSlash(path) : (language ?? '');
};

/** What a rule costs, to try the cheap ones first. */
const costOf = ({ field, match }: BoundaryRule): number => (field === 'TEXT' ? 2 : 0) + (match === 'PATTERN' ? 1 : 0);

/** A rule of a boundary, compiled once for many documents. */
export class CompiledRule {
  readonly cost: number;
  private readonly test: Test;

  /** @throws RuleUnusable */
  constructor(readonly rule: BoundaryRule) {
    this.cost = costOf(rule);
    if (rule.value.trim() === '') throw new RuleUnusable('The value of the rule is empty.');
    if (rule.field === 'TEXT') this.test = textTest(rule);
    else {
      const test = shortTest(rule.field === 'PATH' ? { ...rule, value: withoutSlash(rule.value) } : rule);
      const matches = (reading: DocumentReading): boolean => {
        const text = shortField(rule, reading);
        return text !== '' && test(text, () => reading.comparable(text));
      };
      this.test = { matches, range: () => undefined };
    }
  }

  matches(reading: DocumentReading): boolean {
    return this.test.matches(reading);
  }

  /** The range of the text that matched; undefined where the rule reads no text. */
  range(reading: DocumentReading): Range | undefined {
    return this.test.range(reading);
  }
}
