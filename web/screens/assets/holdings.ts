/** The spot account as the assets screen shows it: one line per coin, worth most first. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireBalances } from '@candor/core/protocol/wire/funds.ts'
import type { WireAsset } from '@candor/core/protocol/wire/market.ts'
import type { PriceOf } from '../../parts/funds/price-of.ts'

export type Holding = {
  readonly asset: string
  readonly name: string
  readonly available: Decimal
  readonly held: Decimal
  /** In USDT at last prices, for order and share only; undefined without a price. */
  readonly worth: number | undefined
}

/** Coins below this are small: they can be hidden. In USDT. */
export const smallBelow = 1

export function holdingsOf(balances: WireBalances, assets: readonly WireAsset[], priceOf: PriceOf): readonly Holding[] {
  const own = balances.accounts.find((account) => account.kind === 'spot')?.balances ?? []
  const holdings = assets.map(({ symbol, name }) => {
    const balance = own.find((one) => one.asset === symbol)
    const [available, held] = [balance?.available ?? '0', balance?.held ?? '0']
    const price = priceOf(symbol)
    const amount = Number(available) + Number(held)
    return { asset: symbol, name, available, held, worth: amount === 0 ? 0 : price === undefined ? undefined : amount * price }
  })
  return holdings.sort((a, b) => (b.worth ?? 0) - (a.worth ?? 0))
}

export function shownHoldings(holdings: readonly Holding[], text: string, hidesSmall: boolean): readonly Holding[] {
  const wanted = text.trim().toUpperCase()
  return holdings.filter(
    (holding) =>
      (!hidesSmall || (holding.worth ?? 0) >= smallBelow) &&
      (wanted === '' || holding.asset.includes(wanted) || holding.name.toUpperCase().includes(wanted)),
  )
}

/** Parts of the whole in percent, largest first, what is below 2 % together; empty without anything. */
export function sharesOf(holdings: readonly Holding[]): readonly { readonly asset: string; readonly percent: number }[] {
  const total = holdings.reduce((sum, holding) => sum + (holding.worth ?? 0), 0)
  if (total <= 0) return []
  const parts = holdings.map((holding) => ({ asset: holding.asset, percent: ((holding.worth ?? 0) * 100) / total }))
  const large = parts.filter((part) => part.percent >= 2).slice(0, 5)
  const rest = 100 - large.reduce((sum, part) => sum + part.percent, 0)
  return rest >= 0.5 ? [...large, { asset: '', percent: rest }] : large
}
