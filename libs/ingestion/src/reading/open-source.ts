import {
  ChosenSource,
  defaultLimits,
  ExtractionPool,
  readerWalls,
  type ExtractionLimits,
  TesseractRecogniser,
  type TextSource,
} from '@acervo/extraction';
import type { Logger } from '@acervo/platform-observability';
import type { ReadingConfig } from './reading.config';

const MEGABYTE = 1_000_000;
const MEBIBYTE = 1_048_576;
const TRIES = 5;

/** The limits that the configuration sets; the others keep their defaults. */
export const limitsOf = (config: ReadingConfig): ExtractionLimits => ({
  ...defaultLimits,
  processes: config.extractionProcesses,
  filesPerProcess: config.extractionFiles,
  memoryBytes: config.extractionMemoryMb * MEBIBYTE,
  silenceMs: config.extractionSeconds * 1_000,
  recognitionMs: config.ocrSeconds * 1_000,
  fileBytes: config.extractionFileMb * MEGABYTE,
  inflatedBytes: config.extractionInflatedMb * MEGABYTE,
  ratio: config.extractionRatio,
  depth: config.extractionDepth,
  characters: config.extractionCharacters,
});

const recogniserOf = ({ ocr }: ReadingConfig, { recognitionMs, memoryBytes }: ExtractionLimits) =>
  ocr ? TesseractRecogniser.find({ timeoutMs: recognitionMs, memoryBytes }) : null;

/** `PDF, .gif` are the endings pdf and gif. */
export const endingsIn = (list: string): readonly string[] =>
  list
    .split(',')
    .map((ending) => ending.trim().replace(/^\./, '').toLowerCase())
    .filter((ending) => ending !== '');

type Log = Pick<Logger, 'info' | 'warn'>;

/** Logs the sandbox of the readers: systems and containers differ in what they allow. */
const logReaders = ({ ocr }: ReadingConfig, recognises: boolean, logger: Log): void => {
  const walls = readerWalls();
  const lacks = walls.lacking.length > 0 || (ocr && !recognises);
  logger[lacks ? 'warn' : 'info']({ walls, ocr, recogniser: recognises ? 'tesseract' : null }, 'who reads files');
};

/** The source that reads files in this deployment; logs its sandbox once. */
export const openSource = async (config: ReadingConfig, logger: Log): Promise<TextSource> => {
  const limits = limitsOf(config);
  const recogniser = recogniserOf(config, limits);
  logReaders(config, recogniser !== null, logger);
  const log = (event: string, details: object): void => logger.warn(details, event);
  const builtIn = new ExtractionPool({ limits, recogniser, log });
  const { unstructuredUrl: url } = config;
  if (url === null) return builtIn;
  // The HTTP client of the server is loaded only where one is configured.
  const { UnstructuredSource } = await import('@acervo/extraction/unstructured');
  const server = new UnstructuredSource({
    url,
    apiKey: config.unstructuredKey,
    strategy: config.unstructuredStrategy,
    deadlineMs: config.unstructuredSeconds * 1_000,
    tries: TRIES,
    atOnce: limits.processes,
    limits,
    fallback: config.unstructuredFallback === 'built-in' ? builtIn : null,
  });
  const chosen = new Map(endingsIn(config.unstructuredFormats).map((ending) => [ending, server]));
  return new ChosenSource({ otherwise: builtIn, chosen });
};
