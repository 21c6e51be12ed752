import type { Pair, PriceKind } from '../board.ts'

/** Meaning of a venue's message. */
export type Reading =
  | { readonly kind: PriceKind; readonly pair: Pair; readonly price: number }
  /** Heartbeat or acknowledgement. */
  | { readonly kind: 'alive' }
  /** The venue will close the connection and asks to reconnect. */
  | { readonly kind: 'leaving' }
  /** The venue refused a request; the rest continues. */
  | { readonly kind: 'problem'; readonly message: string }

/** Parses the messages of one connection. */
export type Reader = {
  /** Messages to send after opening. */
  readonly subscriptions: readonly string[]
  /** The messages in a text. Never throws. An empty list: nothing was recognized, which does not count as a sign of life. */
  read(text: string): readonly Reading[]
}

/** [open time in ms, open, high, low, close, volume in base], decimal text or numbers as the venue gives them. */
export type VenueCandle = readonly [number, unknown, unknown, unknown, unknown, unknown]

export type GetJson = (url: string) => Promise<unknown>

/** A trading venue. A new one is a file here and a line in `venues.ts`. */
export type Venue = {
  readonly name: string
  readonly socketUrl: string
  readonly restUrl: string
  /** The venue's dollar: prices of `USD` books are divided by USDT/USD. */
  readonly dollar: 'USDT' | 'USD'
  reader(pairs: readonly Pair[]): Reader
  /** For venues that require pings from the client. */
  readonly ping?: { readonly everyMs: number; readonly text: string }
  /** Candles that open before `endMs`, oldest first, as many as one answer holds. Throws when the venue does not answer. */
  candles(get: GetJson, restUrl: string, pair: Pair, interval: '1m' | '1h', endMs: number): Promise<readonly VenueCandle[]>
}

/** The venue's own names of pairs, in both directions. */
export function names(pairs: readonly Pair[], nameOf: (pair: Pair) => string): ReadonlyMap<string, Pair> {
  return new Map(pairs.map((pair) => [nameOf(pair), pair]))
}

/** A JSON object, or undefined. */
export function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return record(JSON.parse(text))
  } catch {
    return undefined
  }
}

export function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export const alive: readonly Reading[] = [{ kind: 'alive' }]
export const nothing: readonly Reading[] = []
