/** How a server reads: the fast way takes text as it stands, the others look at pages as pictures. */
export const unstructuredStrategies = ['auto', 'fast', 'hi_res', 'ocr_only'] as const;
export type UnstructuredStrategy = (typeof unstructuredStrategies)[number];
