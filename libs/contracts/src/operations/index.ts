export * from './audit-calls';
export * from './execution';
export * from './operation';
import './published/documents';
import './published/ingestion';
import './published/operations';
import './published/organisation';
import './published/people';
