/** An input or an output without fields. */
export class Empty {}
