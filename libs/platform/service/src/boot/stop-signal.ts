/**
 * The stop signal of this process. A program imports this file before all others: as the first process of a container
 * it would otherwise ignore a signal until its modules are loaded.
 */
const stopping = new AbortController();

process.on('SIGTERM', () => stopping.abort('SIGTERM'));
// A terminal sends its signal to every process; the parent process decides when this one ends.
process.on('SIGINT', () => (process.connected ? undefined : stopping.abort('SIGINT')));

/** Aborted by the first stop signal, with its name as the reason; later ones change nothing. */
export const stopSignal: AbortSignal = stopping.signal;
