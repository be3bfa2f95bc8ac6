/** Strategies of a server: `fast` uses embedded text, the others treat pages as pictures. */
export const unstructuredStrategies = ['auto', 'fast', 'hi_res', 'ocr_only'] as const;
export type UnstructuredStrategy = (typeof unstructuredStrategies)[number];
