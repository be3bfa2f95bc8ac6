/** A start, or a command of it, is refused. The user can correct the cause; the message suffices. */
export abstract class StartRefused extends Error {}
