export * from './group-processes';
export * from './group-tasks';
export * from './processes';
export * from './requests';
