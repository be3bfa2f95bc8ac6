export * from './function-calls';
export * from './functions';
export * from './role-calls';
export * from './roles';
export * from './system-user';
export * from './user-access';
export * from './user-calls';
export * from './users';
