/** The spot account for the assets screen: one line per coin, by value, largest first. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireBalances } from '@candor/core/protocol/wire/funds.ts'
import type { WireAsset } from '@candor/core/protocol/wire/market.ts'
import type { PriceOf } from '../../parts/funds/price-of.ts'

export type Holding = {
  readonly asset: string
  readonly name: string
  readonly available: Decimal
  readonly held: Decimal
  /** Value in USDT at last prices, for sorting and shares only; undefined without a price. */
  readonly worth: number | undefined
}

/** Coins with a value below this, in USDT, are small and can be hidden. */
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

/** Shares of the total in percent, largest first. Shares below 2 % are added up. Empty for an empty account. */
export function sharesOf(holdings: readonly Holding[]): readonly { readonly asset: string; readonly percent: number }[] {
  const total = holdings.reduce((sum, holding) => sum + (holding.worth ?? 0), 0)
  if (total <= 0) return []
  const parts = holdings.map((holding) => ({ asset: holding.asset, percent: ((holding.worth ?? 0) * 100) / total }))
  const large = parts.filter((part) => part.percent >= 2).slice(0, 5)
  const rest = 100 - large.reduce((sum, part) => sum + part.percent, 0)
  return rest >= 0.5 ? [...large, { asset: '', percent: rest }] : large
}
