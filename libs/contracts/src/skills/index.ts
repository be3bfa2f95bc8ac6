export * from './earlier-skills';
export * from './skills';
export * from './skill-parameters';
export * from './space-results';
