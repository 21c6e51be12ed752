import type { OracleState, Venue } from './state.ts'

const million = 1_000_000n

/** Decimal text as a fraction: units over a power of ten. */
export function fraction(text: string): { readonly units: bigint; readonly per: bigint } {
  const [whole = '', digits = ''] = text.split('.')
  return { units: BigInt(whole + digits), per: 10n ** BigInt(digits.length) }
}

/** Reference price: average of the last five minutes' trades by quantity, in buckets of 30 s; else the index, the last price, or 0. */
export function reference(venue: Venue, at: number): number {
  const bucket = (time: number): number => Math.floor(time / 30_000)
  const recent = venue.trades.filter((trade) => bucket(trade.at) > bucket(at) - 10)
  const lots = recent.reduce((sum, trade) => sum + BigInt(trade.lots), 0n)
  const value = recent.reduce((sum, trade) => sum + BigInt(trade.price) * BigInt(trade.lots), 0n)
  if (lots > 0n) return Number(value / lots)
  return indexTicks(venue) || venue.lastPrice
}

/** The index price (in 1e-8 of the quote asset) in whole ticks; 0 if there is none. */
export function indexTicks(venue: Venue): number {
  const { units, per } = fraction(venue.market.tick)
  return Number((BigInt(venue.index) * per) / (units * 100_000_000n))
}

export function bandLow(price: number, ppm: number): number {
  return Math.max(1, Number(ceil(BigInt(price) * BigInt(Math.max(0, 1_000_000 - ppm)), million)))
}

export function bandHigh(price: number, ppm: number): number {
  return Math.min(2 ** 31 - 1, Number((BigInt(price) * BigInt(1_000_000 + ppm)) / million))
}

/** Worst price of a market order, measured from the index while that is good. */
export function worst(venue: Venue, side: 'buy' | 'sell', at: number): number {
  const price = (venue.isIndexGood ? indexTicks(venue) : 0) || reference(venue, at)
  if (price === 0) return 0
  const { slippagePpm } = venue.market.terms
  return side === 'buy' ? bandHigh(price, slippagePpm) : bandLow(price, slippagePpm)
}

/** Fee tier of a user, by the value traded today and on the 29 days before. */
export function tierOf(state: OracleState, user: number, at: number): number {
  const today = Math.floor(at / 86_400_000)
  const recent = (state.volumes.get(user) ?? []).filter(({ day }) => day > today - 30)
  const volume = recent.reduce((sum, { value }) => sum + value, 0n)
  let tier = 0
  state.fees.forEach(({ volumeMin }, i) => {
    if (BigInt(volumeMin) <= volume) tier = i
  })
  return tier
}

/** Fee of a side on the amount it receives, rounded up: the market's rate, or a lower rate from the second tier on. */
export function feeOf(state: OracleState, venue: Venue, user: number, role: 'maker' | 'taker', amount: bigint, tier: number): bigint {
  const { terms } = venue.market
  const base = role === 'maker' ? terms.makerFeePpm : terms.takerFeePpm
  const step = state.fees[tier]
  const own = step === undefined || tier === 0 ? base : role === 'maker' ? step.makerPpm : step.takerPpm
  if (!state.isUser(user)) throw new Error(`no user ${user}`)
  return ceil(amount * BigInt(Math.min(own, base)), million)
}

/** Value of a sum of another asset in USDT units, at its last price (else index) in USDT; 0 without a price. */
export function usdtValue(state: OracleState, asset: number, units: bigint): bigint {
  const usdt = state.assets.find(({ symbol }) => symbol === 'USDT')
  if (asset === usdt?.id) return units
  const venue = state.venues.find(({ market }) => market.base === asset && market.quote === usdt?.id)
  if (venue === undefined) return 0n
  const price = BigInt(venue.lastPrice || indexTicks(venue))
  return (units * price * BigInt(venue.market.quotePerTickLot)) / BigInt(venue.market.basePerLot)
}

function ceil(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}
