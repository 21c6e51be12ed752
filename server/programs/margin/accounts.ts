import type { Units } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { MarginTerms } from '@candor/core/protocol/command/margin.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { MarginAccount, MarginBalance } from '@candor/core/protocol/port.ts'
import { tierOfLoan } from '@candor/core/risk/margin.ts'
import type { Context } from '../context.ts'
import { amountText, type ListedMarket } from '../../live/listing.ts'
import { worthIn, worthText } from '../funds/worth.ts'

const ratioDigits = 6
const indexDigits = 8
/** Level of an account without debt, and the upper bound of all levels. */
const levelMaxPpm = 999_000_000
/** Above this level clients see an account with debt as excessively safe. */
const excessivePpm = 2_000_000

export const ratioText = (ppm: number): string => formatUnits(ppm, ratioDigits)

/** A margin level (assets ÷ debt) as text, rounded down. */
export const levelText = ({ levelPpm }: MarginAccount): string => ratioText(Math.min(levelPpm ?? levelMaxPpm, levelMaxPpm))

/** A coin of a Margin account in the form that clients know. Debt is subtracted from `netAsset`, which may be below zero. */
export function coinOf(asset: Asset, balance: Omit<MarginBalance, 'asset'>): object {
  const { available, held, principal, interest } = balance
  return {
    asset: asset.symbol,
    borrowed: amountText(asset, principal),
    free: amountText(asset, available),
    interest: amountText(asset, interest),
    locked: amountText(asset, held),
    netAsset: amountText(asset, netOf(balance)),
  }
}

const netOf = ({ available, held, principal, interest }: Omit<MarginBalance, 'asset'>): Units =>
  (available + held - principal - interest) as Units

const nothing = { price: 0, available: 0, held: 0, principal: 0, interest: 0, borrowable: 0, orderLoan: 0, transferable: 0 } as Omit<
  MarginBalance,
  'asset'
>

export const balanceIn = (account: MarginAccount | undefined, { id }: Asset): Omit<MarginBalance, 'asset'> =>
  account?.balances.find(({ asset }) => asset === id) ?? nothing

/** Assets and debts of several accounts together, in BTC at the index. */
export function totalsInBtc(context: Context, accounts: readonly MarginAccount[]): readonly [assets: string, debts: string, net: string] {
  const [usdt, btc] = [context.listing.assetNamed('USDT'), context.listing.assetNamed('BTC')]
  const inBtc = (units: number): bigint => worthIn(context, usdt, units, btc)
  const sum = (of: (account: MarginAccount) => number): bigint => accounts.reduce((total, account) => total + inBtc(of(account)), 0n)
  const [assets, debts] = [sum((account) => account.assets), sum((account) => account.debt)]
  return [worthText(assets), worthText(debts), worthText(assets - debts)]
}

type Standing = 'EXCESSIVE' | 'NORMAL' | 'MARGIN_CALL' | 'FORCE_LIQUIDATION'

function standingOf({ state, levelPpm }: MarginAccount): Standing {
  if (state === 'liquidating') return 'FORCE_LIQUIDATION'
  if (state === 'watch') return 'MARGIN_CALL'
  return levelPpm === null || levelPpm > excessivePpm ? 'EXCESSIVE' : 'NORMAL'
}

/** An isolated account in the form that clients know. */
export function isolatedOf(context: Context, market: ListedMarket, account: MarginAccount, terms: MarginTerms): object {
  const btc = context.listing.assetNamed('BTC')
  const side = (asset: Asset): object => {
    const balance = balanceIn(account, asset)
    const net = netOf(balance)
    const worth = net < 0 ? -worthIn(context, asset, -net, btc) : worthIn(context, asset, net, btc)
    return {
      ...coinOf(asset, balance),
      ...{ borrowEnabled: terms.isOpen, repayEnabled: true },
      ...{ netAssetOfBtc: worthText(worth), totalAsset: amountText(asset, (balance.available + balance.held) as Units) },
    }
  }
  return {
    baseAsset: side(market.base),
    quoteAsset: side(market.quote),
    symbol: market.market.symbol,
    isolatedCreated: true,
    enabled: true,
    marginLevel: levelText(account),
    marginLevelStatus: standingOf(account),
    marginRatio: String(tierOfLoan(terms, account.debt).leverage),
    indexPrice: formatUnits(context.data.market(market.market.id)?.index?.price ?? 0, indexDigits),
    liquidatePrice: formatUnits(account.liquidationPrice, indexDigits),
    liquidateRate: ratioText(account.liquidationPpm),
    tradeEnabled: terms.isOpen && market.wire.isTrading,
  }
}
