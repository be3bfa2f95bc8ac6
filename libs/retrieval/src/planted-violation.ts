import * as other from '@acervo/ingestion';
import * as raw from '@opensearch-project/opensearch';
export const planted = [other, raw];
