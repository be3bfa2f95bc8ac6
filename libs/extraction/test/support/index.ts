export * from './msg-file';
export * from './office-files';
export * from './open-files';
export * from './pdf-file';
export * from './signed-files';
export * from './tnef-file';
export * from './zip-file';
