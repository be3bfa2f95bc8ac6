import 'reflect-metadata';

export * from './operations';
export * from './requirements';
export * from './route';
export * from './scope';
export * from './visibility';
