export { CsvReader } from './csv-reader';
