/** What was computed again is not what was recorded: the exchange must not explain it. */
export class Differs extends Error {}
