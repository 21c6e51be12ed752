import type { WireMarket } from '@candor/core/protocol/wire/market.ts'

/** The steps of a market: the bots count in whole ticks and lots and send decimal text. */
export type Grid = {
  readonly symbol: string
  readonly kind: WireMarket['kind']
  /** Of a futures market. */
  readonly leverageMax: number
  readonly base: string
  readonly quote: string
  readonly tick: number
  readonly lot: number
  readonly notionalMin: number
  readonly lotsMin: number
  priceText(ticks: number): string
  quantityText(lots: number): string
  ticksOf(price: string): number
  lotsOf(quantity: string): number
}

export function gridOf(market: WireMarket): Grid {
  return {
    symbol: market.symbol,
    kind: market.kind,
    leverageMax: market.perp?.leverageMax ?? 1,
    base: market.base,
    quote: market.quote,
    tick: Number(market.tick),
    lot: Number(market.lot),
    notionalMin: Number(market.notionalMin),
    lotsMin: steps(market.quantityMin, market.lot),
    priceText: (ticks) => times(market.tick, ticks),
    quantityText: (lots) => times(market.lot, lots),
    ticksOf: (price) => steps(price, market.tick),
    lotsOf: (quantity) => steps(quantity, market.lot),
  }
}

/** step × count, exact. */
export function times(step: string, count: number): string {
  const [whole = '0', part = ''] = step.split('.')
  const digits = (BigInt(`${whole}${part}`) * BigInt(count)).toString().padStart(part.length + 1, '0')
  return part === '' ? digits : `${digits.slice(0, -part.length)}.${digits.slice(-part.length)}`
}

/** How many steps fit into a value; the rest is dropped. */
export function steps(value: string, step: string): number {
  const places = Math.max(value.split('.')[1]?.length ?? 0, step.split('.')[1]?.length ?? 0)
  const scaled = (text: string): bigint => {
    const [whole = '0', part = ''] = text.split('.')
    return BigInt(`${whole}${part.padEnd(places, '0')}`)
  }
  return Number(scaled(value) / scaled(step))
}

/** Lots for this many USDT; 0 when the exchange would refuse so small an order. */
export function worthwhile(grid: Grid, usdt: number, index: number): number {
  const lots = Math.floor(usdt / index / grid.lot)
  return isWorthwhile(grid, lots, index) ? lots : 0
}

/** Whether this many lots are well above the exchange's minimum. */
export function isWorthwhile(grid: Grid, lots: number, index: number): boolean {
  return lots >= grid.lotsMin && lots * grid.lot * index >= 1.2 * grid.notionalMin
}
