import { PDFiumModule } from '@hyzyla/pdfium';

type Call = (...values: number[]) => number;

/** The PDFium functions in use here, by their names in its headers. */
const names = [
  'malloc',
  'free',
  'FPDF_InitLibrary',
  'FPDF_LoadMemDocument',
  'FPDF_GetLastError',
  'FPDF_CloseDocument',
  'FPDF_GetPageCount',
  'FPDF_GetMetaText',
  'FPDF_GetFormType',
  'FPDF_GetXFAPacketCount',
  'FPDF_GetXFAPacketName',
  'FPDF_GetXFAPacketContent',
  'FPDF_LoadPage',
  'FPDF_ClosePage',
  'FPDF_GetPageWidthF',
  'FPDF_GetPageHeightF',
  'FPDF_GetPageBoundingBox',
  'FPDFPage_GetAnnotCount',
  'FPDFPage_GetAnnot',
  'FPDFPage_CloseAnnot',
  'FPDFAnnot_GetFlags',
  'FPDFAnnot_GetStringValue',
  'FPDFAnnot_GetSubtype',
  'FPDFPage_Flatten',
  'FPDFPage_CountObjects',
  'FPDFPage_GetObject',
  'FPDFPageObj_GetType',
  'FPDFPageObj_GetBounds',
  'FPDFText_LoadPage',
  'FPDFText_ClosePage',
  'FPDFText_CountChars',
  'FPDFText_GetUnicode',
  'FPDFText_HasUnicodeMapError',
  'FPDFText_IsHyphen',
  'FPDFText_GetLooseCharBox',
  'FPDFText_GetCharOrigin',
  'FPDFText_GetCharAngle',
  'FPDFText_GetFontSize',
  'FPDFText_GetMatrix',
  'FPDFText_GetFontInfo',
  'FPDFBitmap_CreateEx',
  'FPDFBitmap_FillRect',
  'FPDFBitmap_GetBuffer',
  'FPDFBitmap_GetStride',
  'FPDFBitmap_Destroy',
  'FPDF_RenderPageBitmap',
  'FPDFBookmark_GetFirstChild',
  'FPDFBookmark_GetNextSibling',
  'FPDFBookmark_GetTitle',
  'FPDFBookmark_GetDest',
  'FPDFBookmark_GetAction',
  'FPDFAction_GetDest',
  'FPDFDest_GetDestPageIndex',
  'FPDFDoc_GetAttachmentCount',
  'FPDFDoc_GetAttachment',
  'FPDFAttachment_GetName',
  'FPDFAttachment_GetFile',
] as const;

export type PdfiumCalls = Readonly<Record<(typeof names)[number], Call>>;

const isComplete = (exported: object): exported is PdfiumCalls =>
  names.every((name) => name in exported && typeof exported[name as keyof typeof exported] === 'function');

const SCRATCH = 64;
/** Above this size PDFium is reloaded to free its memory: WebAssembly memory only grows. */
const MOST_MEMORY = 192 * 1024 * 1024;

/** PDFium and its memory. Calls bypass the wrappers, which cost more than most functions. */
export class Pdfium {
  private readonly scratchAt: number;
  private floats: Float32Array = new Float32Array();
  private doubles: Float64Array = new Float64Array();

  constructor(
    readonly calls: PdfiumCalls,
    private readonly heap: () => Uint8Array,
  ) {
    calls.FPDF_InitLibrary();
    this.scratchAt = calls.malloc(SCRATCH);
  }

  /** Scratch memory for results of a call. */
  get scratch(): number {
    return this.scratchAt;
  }

  get isSwollen(): boolean {
    return this.heap().byteLength > MOST_MEMORY;
  }

  float(offset: number): number {
    if (this.floats.length === 0) this.look();
    return this.floats[offset >> 2] ?? 0;
  }

  double(offset: number): number {
    if (this.doubles.length === 0) this.look();
    return this.doubles[offset >> 3] ?? 0;
  }

  integer(offset: number): number {
    return this.bytes(this.scratchAt + offset, 4).readUInt32LE();
  }

  /** A copy of memory. */
  bytes(at: number, length: number): Buffer {
    return Buffer.from(this.heap().subarray(at, at + length));
  }

  /** Allocates memory with these bytes, until it is freed; 0 if memory is insufficient. */
  allocate(bytes: Uint8Array): number {
    const at = this.calls.malloc(Math.max(1, bytes.length));
    if (at !== 0) this.heap().set(bytes, at);
    return at;
  }

  /** The result of a call that fills a buffer and returns the length of its answer. */
  answer(call: (buffer: number, length: number) => number, most: number): Buffer {
    const length = call(0, 0);
    if (length <= 0 || length > most) return Buffer.alloc(0);
    const at = this.calls.malloc(length);
    try {
      call(at, length);
      return this.bytes(at, length);
    } finally {
      this.calls.free(at);
    }
  }

  /** The memory is replaced when it grows: views of the old one are empty. */
  private look(): void {
    const { buffer } = this.heap();
    this.floats = new Float32Array(buffer, this.scratchAt, SCRATCH / 4);
    this.doubles = new Float64Array(buffer, this.scratchAt, SCRATCH / 8);
  }
}

type Settings = Parameters<typeof PDFiumModule>[0] & { print(): void; printErr(): void };

const load = async (): Promise<Pdfium> => {
  // Its output may contain parts of the file. Loading changes the settings, so they are used once.
  const settings: Settings = { print: () => undefined, printErr: () => undefined };
  const module = await PDFiumModule(settings);
  const exported: object = module.wasmExports;
  if (!isComplete(exported)) throw new Error('This build of PDFium lacks functions; install the pinned version.');
  return new Pdfium(exported, () => module.HEAPU8);
};

let loaded: Promise<Pdfium> | undefined;

/** PDFium, loaded once per process, and again after it has grown or was discarded. */
export const pdfium = async (): Promise<Pdfium> => {
  if (loaded !== undefined && (await loaded).isSwollen) loaded = undefined;
  loaded ??= load();
  return loaded;
};

/** After a failed call the memory is unreliable: the next file gets a new PDFium. */
export const forgetPdfium = (): void => {
  loaded = undefined;
};
