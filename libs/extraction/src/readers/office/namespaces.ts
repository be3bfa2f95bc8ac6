import type { Namespaces } from '../archive';

const OPEN = 'http://schemas.openxmlformats.org';
const STRICT = 'http://purl.oclc.org/ooxml';

/** Namespaces of Office files by their usual prefixes; the strict variant has separate addresses. */
export const officeNamespaces: Namespaces = new Map([
  [`${OPEN}/wordprocessingml/2006/main`, 'w'],
  [`${STRICT}/wordprocessingml/main`, 'w'],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14'],
  ['http://schemas.microsoft.com/office/word/2012/wordml', 'w15'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  [`${OPEN}/spreadsheetml/2006/main`, 's'],
  [`${STRICT}/spreadsheetml/main`, 's'],
  [`${OPEN}/presentationml/2006/main`, 'p'],
  [`${STRICT}/presentationml/main`, 'p'],
  [`${OPEN}/drawingml/2006/main`, 'a'],
  [`${STRICT}/drawingml/main`, 'a'],
  [`${OPEN}/drawingml/2006/spreadsheetDrawing`, 'xdr'],
  [`${STRICT}/drawingml/spreadsheetDrawing`, 'xdr'],
  [`${OPEN}/drawingml/2006/chart`, 'c'],
  [`${STRICT}/drawingml/chart`, 'c'],
  ['http://schemas.microsoft.com/office/drawing/2014/chartex', 'cx'],
  [`${OPEN}/drawingml/2006/diagram`, 'dgm'],
  [`${STRICT}/drawingml/diagram`, 'dgm'],
  ['http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments', 'tc'],
  ['http://schemas.microsoft.com/office/powerpoint/2018/8/main', 'p188'],
  [`${OPEN}/officeDocument/2006/relationships`, 'r'],
  [`${STRICT}/officeDocument/relationships`, 'r'],
  [`${OPEN}/officeDocument/2006/math`, 'm'],
  [`${STRICT}/officeDocument/math`, 'm'],
  [`${OPEN}/markup-compatibility/2006`, 'mc'],
  [`${OPEN}/package/2006/relationships`, 'rel'],
  [`${OPEN}/package/2006/metadata/core-properties`, 'cp'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.org/dc/terms/', 'dcterms'],
]);
