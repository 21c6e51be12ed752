/**
 * Every venue that an index price may name as its source. Its place is its number on the tape: append only, at most 32.
 * The list is published with the tape.
 */
export const venueNames = [
  'binance',
  'okx',
  'coinbase',
  'kraken',
  'simulated-1',
  'simulated-2',
  'simulated-3',
  'simulated-4',
] as const satisfies readonly string[]

const numbers = new Map<string, number>(venueNames.map((name, number) => [name, number]))

/** Undefined: a venue that the tape has no number for. */
export function venueNumber(name: string): number | undefined {
  return numbers.get(name)
}
