// The names that docs/glossary.md replaces. A name retired later is added here.

/** @param where the paths where a common word is retired; everywhere without it */
const word = (text, use, where = /^/) => [text.split(' '), use, where];

/** Parts of names in camelCase or kebab-case that identifiers and files must not contain. */
export const retiredWords = [
  word('wish wishes', 'admin command'),
  word('doorbell doorbells', 'work signal'),
  word('ringer', 'task reconciler'),
  word('waker', 'notification listener'),
  word('persistently', 'retryUntilAvailable'),
  word('desk desks', 'folder manager'),
  word('intake', 'ingest folder'),
  word('allowance allowances', 'quota'),
  word('guesses', 'attempt limiter', /^libs\/auth\//),
  word('discards', 'object garbage collector'),
  word('holdings', 'index inventory'),
  word('visitor visitors', 'client info'),
  word('face faces', 'listener or representation'),
];

/** Whole names that declarations must not have: common words without information. */
export const retiredNames = [
  word('lane lanes Lane', 'partition, priority, express worker or semaphore'),
  word('Turns inTurn InTurn scanTurn ScanTurn', 'session scheduler, scan lock or keyed mutex'),
  word('turn turns', 'session scheduler or scan lock', /^libs\/(?:ingestion|platform\/database)\/src\//),
  word('Rounds', 'coalescing runner'),
  word('carryOut', 'execute'),
  word('say Say says said Said saying', 'print, report or messages'),
  word('greet tell tells told Told', 'print, publish or report'),
  word('hold holds held Hold Held HELD', 'lock, lockForUpdate, or what the thing is'),
  word('bury dismiss abandon layAside laidAside', 'delete, give up, cancel or dead-letter'),
  word('takeIn takesIn takenIn taking Taking', 'ingest, acquire or reserve'),
  word('LocationFacts DocumentFacts', 'LocationEvents, DocumentEvents'),
  word('LiveSpace sameSpace', 'embedding index'),
  word('UrgentLane HeldLanes', 'express worker, partition lease'),
  word('spare', 'optional'),
  word('Once OnceStore', 'idempotency'),
  word('Guess', 'attempt'),
  word('letter letters', 'mail or mail templates', /^libs\/(?:auth|platform\/mail)\//),
  word('From', 'client info'),
  word('ServiceKit', 'constructor injection'),
  word('defineService', 'a Nest module'),
  word('assemble dissolve', 'create, dispose', /^(?:apps|libs\/platform\/service)\//),
  word('composeIngestion', 'createIngestion'),
  word(
    'own Own OWN given Given GIVEN kept Kept KEPT known Known KNOWN plain Plain',
    'a name that says what the thing is',
  ),
];

/** Phrases that names must not contain, in camelCase or in kebab-case: `carryOut` is retired in `carryOutOrder`, too. */
export const retiredInside = [
  word('carryOut', 'execute'),
  word('anew', 'again, or what happens: restart, rebuild'),
  word('ringAgain', 'signal'),
  word('tell tells told', 'print, publish, report or reveal'),
  word('says said', 'print, report or messages'),
  word('layDown laidDown layAside laidAside', 'insert, delete or dead-letter'),
];

/** Retired endings of interfaces, with their replacements. */
export const retiredInterfaceEndings = [[/Parts$/, '*Dependencies']];

/** Retired endings of files, with their replacements. */
export const retiredEndings = [
  [/^libs\/(?:auth|ingestion|operations|retrieval)\/src\/.*\.calls\.ts$/, '*.handlers.ts'],
  [/\.facts\.ts$/, '*-events.ts'],
  [/\.wishes\.ts$/, '*.admin-commands.ts'],
  [/\.alone\.(?:spec|stack)\.ts$/, '*.isolated.spec.ts or *.isolated.stack.ts'],
  [/\.together\.(?:spec|stack)\.ts$/, '*.combined.spec.ts or *.combined.stack.ts'],
];

/** Retired phrases in comments, messages, test titles and documentation. */
export const retiredPhrases = [
  [/\bwish(?:es)?\b/i, 'admin command'],
  [/\bdoorbells?\b/i, 'work signal'],
  [/\bringers?\b/i, 'task reconciler'],
  [/\burgent lane\b/i, 'express worker'],
  [/\b(?:vector|embedding) spaces?\b/i, 'embedding index'],
  [/\b(?:lay|lays|laid) (?:it |them )?aside\b/i, 'dead-letter, or rotate'],
  [/(?<![-\w])anew\b/i, 'again'],
  [/\bas it came\b/i, 'unchanged'],
  [/\bputs? (?:it |them )?right\b/i, 'repair'],
  [/\btak(?:en?|es|ing) in\b(?! (?:a|the|this)\b)/i, 'ingest, or include'],
  [/\b(?:come|comes|came) to nothing\b/i, 'fail'],
  [/\bby then\b/i, 'a time or a state'],
  [/\b(?:nobody|somebody|whoever)\b/i, 'the user, service or program'],
  [/\b(?:tells|told)\b/i, 'print, report, list or notify'],
  [/\bno more\b(?! (?:than|often))/i, 'no longer'],
];

/** Names that stay because a table, a setting, a flag or a file format has them, by the end of the path. */
export const allowedNames = [
  // The field `anew` of an event.
  ['documents/events.ts', 'anew'],
  ['document-events.ts', 'anew'],
  ['chunk.store.ts', 'anew'],
  // The flag --plain.
  ['options.ts', 'plain'],
  ['screen.ts', 'plain'],
  ['progress.spec.ts', 'plain'],
  // A field of an operation that the isolation suite plants, and a column that a suite counts.
  ['plants.ts', 'said'],
  ['retrievals.spec.ts', 'held'],
  // Parts of a key, of a Word file and of a page, not dependencies.
  ['key-format.ts', 'ApiKeyParts'],
  ['docx-body.ts', 'DocxParts'],
  ['page.ts', 'PageParts'],
];

/** Exempt files: generated pages, samples, the changelog, and these lists themselves. */
export const exempt =
  /^(?:CHANGELOG\.md|docs\/(?:glossary|configuration|operations-catalogue)\.md|samples\/|tools\/checks\/|libs\/analysis\/src\/languages\/|libs\/chat\/src\/answering\/support\/vocabulary\.ts$)/;
