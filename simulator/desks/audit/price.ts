import { assets, spotMarkets } from '../plans.ts'

/** Of one asset: its last good index price, since when it is not good (0: it is), and when a longer outage ended. */
type Known = { price: number; badAt: number; backAt: number }

const usdt = 1
const outageMs = 3_000

/** Which prices are good, from ticks alone, and since when again. */
export class PriceAudit {
  readonly #known = new Map<number, Known>()

  tick(market: number, price: number, isGood: boolean, at: number): void {
    const plan = spotMarkets.find((one) => one.market === market)
    if (plan?.quote !== usdt) return
    const known = this.#known.get(plan.base) ?? { price: 0, badAt: 0, backAt: 0 }
    this.#known.set(plan.base, known)
    if (!isGood) {
      if (known.badAt === 0 && known.price > 0) known.badAt = at
      return
    }
    if (known.badAt > 0 && at - known.badAt >= outageMs) known.backAt = at
    Object.assign(known, { price, badAt: 0 })
  }

  /** Whether the price of an asset is good, and has been for so long after an outage. */
  isGood(asset: number, at: number, forMs: number): boolean {
    if (asset === usdt) return true
    const known = this.#known.get(asset)
    return known !== undefined && known.price > 0 && known.badAt === 0 && at - known.backAt >= forMs
  }

  /** USDT units that a sum of an asset is worth at its last good price, rounded down. */
  value(asset: number, units: number): number {
    if (asset === usdt) return units
    const digits = assets[asset - 1]!.scale + 8 - assets[usdt - 1]!.scale
    return Number((BigInt(units) * BigInt(this.#known.get(asset)?.price ?? 0)) / 10n ** BigInt(digits))
  }
}
