export * from './audit-calls';
export * from './contract-table';
export * from './execution';
export * from './functions';
