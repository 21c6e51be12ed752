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
  readonly lotText: string
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
    lotText: market.lot,
    notionalMin: Number(market.notionalMin),
    lotsMin: steps(market.quantityMin, market.lot),
    priceText: (ticks) => times(market.tick, ticks),
    quantityText: (lots) => times(market.lot, lots),
    ticksOf: (price) => steps(price, market.tick),
    lotsOf: (quantity) => steps(quantity, market.lot),
  }
}

/** step × count, exact; with `of`, step × count × of without zeros at the end. */
export function times(step: string, count: number, of?: string): string {
  const [one, other] = [scaled(step, placesOf(step)), of === undefined ? 1n : scaled(of, placesOf(of))]
  const product = printed(one * BigInt(count) * other, placesOf(step) + (of === undefined ? 0 : placesOf(of)))
  return of === undefined || !product.includes('.') ? product : product.replace(/\.?0+$/, '')
}

/** one − other, exact. */
export function minus(one: string, other: string): string {
  const places = Math.max(placesOf(one), placesOf(other))
  const difference = scaled(one, places) - scaled(other, places)
  return difference < 0n ? `-${printed(-difference, places)}` : printed(difference, places)
}

const placesOf = (text: string): number => text.split('.')[1]?.length ?? 0

function scaled(text: string, places: number): bigint {
  const [whole = '0', part = ''] = text.split('.')
  return BigInt(`${whole}${part.padEnd(places, '0')}`)
}

function printed(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** How many steps fit into a value; the rest is dropped. */
export function steps(value: string, step: string): number {
  const places = Math.max(placesOf(value), placesOf(step))
  return Number(scaled(value, places) / scaled(step, places))
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
