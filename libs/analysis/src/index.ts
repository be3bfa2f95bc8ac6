export * from './chunks';
export * from './extracted-text';
export * from './fold';
export * from './languages/detect';
export {
  defaultLanguages,
  knownLanguage,
  knownLanguages,
  type LanguageCode,
  languageNamed,
  type Languages,
  languagesFrom,
} from './languages/table';
export * from './sentences';
export * from './summary';
export * from './token-count';
export * from './tokens';
export { isWholeSentence } from './whole-sentences';
