/**
 * Every venue that an index price may name as a source. Its position is its number on the tape: append only, at most 32. The list
 * is published with the tape.
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

/** The venue's number on the tape; undefined for a venue without one. */
export function venueNumber(name: string): number | undefined {
  return numbers.get(name)
}
