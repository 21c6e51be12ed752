import { assets, spotMarkets } from '../plans.ts'

/** An asset's last good index price, the start of its outage (0: none), and the end of its last longer outage. */
type Known = { price: number; badAt: number; backAt: number }

const usdt = 1
const outageMs = 3_000

/** Tracks, from ticks alone, which prices are good and since when. */
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

  /** Whether the price of an asset is good, and has been for at least `forMs` since an outage. */
  isGood(asset: number, at: number, forMs: number): boolean {
    if (asset === usdt) return true
    const known = this.#known.get(asset)
    return known !== undefined && known.price > 0 && known.badAt === 0 && at - known.backAt >= forMs
  }

  /** Value of a sum of an asset at its last good price, in USDT units, rounded down. */
  value(asset: number, units: number): number {
    if (asset === usdt) return units
    const digits = assets[asset - 1]!.scale + 8 - assets[usdt - 1]!.scale
    return Number((BigInt(units) * BigInt(this.#known.get(asset)?.price ?? 0)) / 10n ** BigInt(digits))
  }
}
