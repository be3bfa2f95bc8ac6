/** Elements that draw something over a page or a sheet, and may have a text. */
export const SHAPES: readonly string[] = [
  'frame',
  'text-box',
  'custom-shape',
  'rect',
  'ellipse',
  'circle',
  'line',
  'connector',
  'polyline',
  'polygon',
  'path',
  'caption',
  'measure',
  'g',
].map((name) => `draw:${name}`);
