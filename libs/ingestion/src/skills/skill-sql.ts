/**
 * Of a row `d` of `ingestion.document`: its file is not read any longer, or is not there. It keeps its last text for a
 * time; nothing is quoted from it.
 */
export const IS_GONE = `d.status in ('NO_SOPORTADO', 'NO_ENCONTRADO')`;
