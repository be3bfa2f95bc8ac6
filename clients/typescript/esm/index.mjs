// One instance of the client in a process, however it is imported: errors keep their classes.
export * from '../dist/index.js';
