export * from './boundaries';
export * from './calls';
export * from './catalog';
export * from './categories';
export * from './document-types';
export * from './features';
export * from './impact';
export * from './summary';
