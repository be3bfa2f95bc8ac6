/** The progress of work, for programs that show it: loaded without the service. */
export * from './figures';
export * from './screen';
