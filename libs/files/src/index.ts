export { type AcquiredFile, type FilePlace, takeFile } from './acquire-file';
export { ExcludedEntries, type ExcludedEntriesRecord } from './excluded-entries';
export { ExclusionsUnreadable } from './folder-listing';
export { EXCLUSIONS, Exclusions, ExclusionsRefused, MOST_EXCLUSIONS } from './ignore-rules';
export { NamePattern } from './name-pattern';
export { DocumentRefused, FileChanging } from './refusal';
export { type FoundFile, type FoundFolder, type Unseen, type Walk, walk, type WalkLimits } from './walk';
export { RootUnreadable, WalkHung } from './walk-errors';
