export { DocxReader } from './docx-reader';
export { openObject } from './embedded-files';
export { numberFormatOf, textFormatOf } from './number-format';
export { formatNumber } from './number-words';
export { reportOfSheets, reportOfSlides } from './office-report';
export { PptxReader } from './pptx-reader';
export { runningLinesOf } from './running-marks';
export { headerIndex, type SheetCell, SheetWriter } from './sheet-writer';
export { XlsxReader } from './xlsx-reader';
