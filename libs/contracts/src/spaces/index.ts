export * from './calls';
export * from './criteria';
export * from './dependents';
export * from './documents';
export * from './earlier-lists';
export * from './events';
export * from './space-view';
export * from './spaces';
