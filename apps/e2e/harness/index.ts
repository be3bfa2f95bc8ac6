import 'reflect-metadata';

export * from './every-migration';
export * from './http-client';
export * from './installation';
export * from './people';
export * from './processes';
export * from './program';
export * from './tables';
export * from './waiting';
