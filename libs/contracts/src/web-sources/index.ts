export * from './web-sources';
