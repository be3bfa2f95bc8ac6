import { toSql } from 'pgvector';

/** A vector as a parameter of a statement. */
export const vectorToSql = (vector: Float32Array): string => toSql(Array.from(vector)) as string;
