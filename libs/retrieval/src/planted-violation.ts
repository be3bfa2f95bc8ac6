import * as other from '@acervo/ingestion';
export const planted = other;
