export * from './earlier-skills';
export * from './skills';
export * from './space-results';
