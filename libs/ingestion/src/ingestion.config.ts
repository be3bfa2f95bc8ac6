import { Setting } from '@acervo/platform-config';

/** How folders are scanned and documents processed; `ReadingConfig` is about reading their files. */
export class IngestionConfig {
  @Setting({
    env: 'ACERVO_CPU_THREADS',
    default: 1,
    min: 1,
    max: 32,
    description: 'Threads that hash, cut and embed documents',
  })
  readonly cpuThreads!: number;
  @Setting({
    env: 'ACERVO_RECONCILE_SECONDS',
    default: 240,
    min: 1,
    max: 604_800,
    description: 'Seconds from one comparison of the stores to the next',
  })
  readonly reconcileSeconds!: number;
  @Setting({
    env: 'ACERVO_RECONCILE_SETTLE_SECONDS',
    default: 20,
    min: 0,
    max: 3_600,
    description: 'Seconds that a difference must last before it is one',
  })
  readonly reconcileSettleSeconds!: number;
  @Setting({
    env: 'ACERVO_RESCAN_SECONDS',
    default: 900,
    min: 0,
    max: 604_800,
    description: 'Seconds after which a folder is scanned again by itself, from the end of its last scan; 0 for never',
  })
  readonly rescanSeconds!: number;
  @Setting({
    env: 'ACERVO_WEB_REFRESH_SECONDS',
    default: 86_400,
    min: 0,
    max: 2_592_000,
    description: 'Seconds after which the approved pages of a web location are asked for again; 0 for never',
  })
  readonly webRefreshSeconds!: number;
  @Setting({
    env: 'ACERVO_OBJECT_GRACE_HOURS',
    default: 24,
    min: 1,
    max: 8_760,
    description: 'Hours after which an object that nothing names is removed',
  })
  readonly objectGraceHours!: number;
  @Setting({
    env: 'ACERVO_LARGEST_FILE_MB',
    default: 500,
    min: 1,
    max: 100_000,
    description: 'Size in megabytes above which scans leave a file out',
  })
  readonly largestFileMb!: number;
  @Setting({
    env: 'ACERVO_FOLDER_ROOTS',
    default: '',
    description:
      'Folders below which groups may add folders over the network, by group code, such as G1=/srv/documents:G2=/srv/others, or as JSON, such as {"G1": ["/srv/a:b"]}, where a path holds a colon; none unless set',
  })
  readonly folderRoots!: string;
  @Setting({
    env: 'ACERVO_CHAT_SUMMARIES',
    default: true,
    description: 'Have the chat model summarise each document after it is ingested, where a group has one',
  })
  readonly chatSummaries!: boolean;
  @Setting({
    env: 'ACERVO_KEPT_DIRECTORY',
    default: null,
    description:
      'Directory with the data of the product itself, where it lies on this machine: never read as documents',
  })
  readonly keptDirectory!: string | null;
}
