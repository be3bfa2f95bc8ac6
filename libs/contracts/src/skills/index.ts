export * from './earlier-skills';
export * from './skills';
