import { defaultLimits, unstructuredStrategies, type UnstructuredStrategy } from '@acervo/extraction';
import { Setting } from '@acervo/platform-config';

const MEGABYTE = 1_000_000;

/** How files are read: limits, number of processes, and formats for an Unstructured server. */
export class ReadingConfig {
  @Setting({
    env: 'ACERVO_EXTRACTION_PROCESSES',
    default: defaultLimits.processes,
    min: 1,
    max: 64,
    description: 'Processes that read files, one file each at a time',
  })
  readonly extractionProcesses!: number;
  @Setting({
    env: 'ACERVO_EXTRACTION_FILES',
    default: defaultLimits.filesPerProcess,
    min: 1,
    max: 1_000_000,
    description: 'Files after which a reading process is replaced by a fresh one',
  })
  readonly extractionFiles!: number;
  @Setting({
    env: 'ACERVO_EXTRACTION_MEMORY_MB',
    default: defaultLimits.memoryBytes / 1_048_576,
    min: 128,
    max: 65_536,
    description: 'Memory of a reading process in MiB; it is killed above it',
  })
  readonly extractionMemoryMb!: number;
  @Setting({
    env: 'ACERVO_EXTRACTION_SECONDS',
    default: defaultLimits.silenceMs / 1_000,
    min: 1,
    max: 3_600,
    description: 'Seconds for a file, or for each page of one that has pages, before its process is killed',
  })
  readonly extractionSeconds!: number;
  @Setting({
    env: 'ACERVO_EXTRACTION_FILE_MB',
    default: defaultLimits.fileBytes / MEGABYTE,
    min: 1,
    max: 2_000,
    description: 'Largest file that is read, in MB',
  })
  readonly extractionFileMb!: number;
  @Setting({
    env: 'ACERVO_EXTRACTION_INFLATED_MB',
    default: defaultLimits.inflatedBytes / MEGABYTE,
    min: 1,
    max: 100_000,
    description: 'Most that the entries of an archive may give together, in MB',
  })
  readonly extractionInflatedMb!: number;
  @Setting({
    env: 'ACERVO_EXTRACTION_RATIO',
    default: defaultLimits.ratio,
    min: 2,
    max: 100_000,
    description: 'Most bytes that come out of one byte of an archive',
  })
  readonly extractionRatio!: number;
  @Setting({
    env: 'ACERVO_EXTRACTION_DEPTH',
    default: defaultLimits.depth,
    min: 1,
    max: 100,
    description: 'Containers inside containers that are followed',
  })
  readonly extractionDepth!: number;
  @Setting({
    env: 'ACERVO_EXTRACTION_CHARACTERS',
    default: defaultLimits.characters,
    min: 1_000,
    max: 500_000_000,
    description: 'Longest text that is taken from a file, in characters',
  })
  readonly extractionCharacters!: number;
  @Setting({
    env: 'ACERVO_OCR',
    default: true,
    description: 'Whether text in pictures is recognised, where the tesseract program is installed',
  })
  readonly ocr!: boolean;
  @Setting({
    env: 'ACERVO_OCR_SECONDS',
    default: defaultLimits.recognitionMs / 1_000,
    min: 1,
    max: 3_600,
    description: 'Seconds to recognise the text of one picture',
  })
  readonly ocrSeconds!: number;
  @Setting({
    env: 'ACERVO_UNSTRUCTURED_URL',
    default: null,
    description: 'Address of an Unstructured server; without it everything is read here',
  })
  readonly unstructuredUrl!: string | null;
  @Setting({
    env: 'ACERVO_UNSTRUCTURED_FORMATS',
    default: '',
    description: 'Endings of the files that the Unstructured server reads, such as pdf,doc,ppt',
  })
  readonly unstructuredFormats!: string;
  @Setting({ env: 'ACERVO_UNSTRUCTURED_KEY', default: null, secret: true, description: 'API key of that server' })
  readonly unstructuredKey!: string | null;
  @Setting({
    env: 'ACERVO_UNSTRUCTURED_STRATEGY',
    default: 'auto',
    oneOf: unstructuredStrategies,
    description: 'How that server reads',
  })
  readonly unstructuredStrategy!: UnstructuredStrategy;
  @Setting({
    env: 'ACERVO_UNSTRUCTURED_SECONDS',
    default: 300,
    min: 1,
    max: 800,
    description: 'Seconds for a file, all tries together',
  })
  readonly unstructuredSeconds!: number;
  @Setting({
    env: 'ACERVO_UNSTRUCTURED_FALLBACK',
    default: 'retry',
    oneOf: ['retry', 'built-in'],
    description: 'What happens while that server does not answer: the file waits, or is read here',
  })
  readonly unstructuredFallback!: 'retry' | 'built-in';
}
