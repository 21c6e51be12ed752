declare const brand: unique symbol

/** A number that says what it counts: two brands never mix by accident. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }

/** A sum of one asset in its smallest unit: at scale 6, 1_000_000 is 1 USDT. A safe integer; may be negative. */
export type Units = Brand<number, 'Units'>

/** Price in ticks of a market: a safe integer, always above zero. */
export type Ticks = Brand<number, 'Ticks'>

/** Quantity in lots of a market: a safe integer, never negative. */
export type Lots = Brand<number, 'Lots'>

/** A rate in parts per million: 1_000 is 0.10 %. An integer. */
export type Ppm = Brand<number, 'Ppm'>

/** An index price at 1e-8 of the quote asset: 6_741_250_000_000 is 67,412.5. A safe integer. */
export type IndexPrice = Brand<number, 'IndexPrice'>

/** Milliseconds since 1970-01-01T00:00Z on the exchange's own clock, which never runs backwards. */
export type Millis = Brand<number, 'Millis'>

/** A number of whole days. */
export type Days = Brand<number, 'Days'>

/** Decimal text as sent over the network: digits, at most one point, an optional leading minus, never an exponent. */
export type Decimal = string
