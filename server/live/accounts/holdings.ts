import type { Ticks, Units } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { AssetId, MarketId, UserId } from '@candor/core/protocol/ids.ts'
import type { Balance, MarginAccount, PerpAccountView } from '@candor/core/protocol/port.ts'
import type { WireAccount } from '@candor/core/protocol/wire/funds.ts'
import { unrealised } from '@candor/core/risk/perp.ts'
import type { Context } from '../context.ts'
import { amountText } from '../listing.ts'

/** All balances and debts of a user at one moment. */
export type Holdings = {
  readonly balances: readonly Balance[]
  readonly perp: PerpAccountView
  readonly margin: readonly MarginAccount[]
}

/** Digits of values in millionths of a USDT. They are bigint, because the whole supply of a coin at a high price exceeds 2^53. */
const usdtDigits = 6

type Valued = Pick<Context, 'listing' | 'data' | 'now'>

export async function holdingsOf({ ask }: Pick<Context, 'ask'>, user: UserId): Promise<Holdings> {
  const [balances, perp, margin] = await Promise.all([ask.balances(user), ask.perpAccount(user), ask.marginAccounts(user)])
  return { balances, perp, margin }
}

/** Total value at last prices, including profit of open positions, less debts; in millionths of a USDT. */
export function netUsdt(context: Valued, { balances, perp, margin }: Holdings): bigint {
  const owed = margin.reduce((sum, { debt }) => sum + BigInt(debt), 0n)
  return totalUsdt(context, balances) + BigInt(openProfit(context, perp)) - owed
}

/** Value of each kind of account, as `netUsdt`; each coin of an account is rounded down by itself. */
export function netByKind(context: Valued, { balances, perp, margin }: Holdings): ReadonlyMap<AccountKind, bigint> {
  const sums = new Map<AccountKind, bigint>()
  const add = (kind: AccountKind, value: bigint): unknown => sums.set(kind, (sums.get(kind) ?? 0n) + value)
  for (const { account, available, held } of balances) {
    if ('user' in account) add(account.kind, worthUsdt(context, account.asset, available + held))
  }
  add('perp', BigInt(openProfit(context, perp)))
  for (const { market, debt } of margin) add(market === 0 ? 'margin-cross' : 'margin-isolated', -BigInt(debt))
  return sums
}

/** Profit (+) or loss (−) of all open positions at their marks, in USDT units. */
function openProfit({ data, listing }: Valued, { positions }: PerpAccountView): number {
  return positions.reduce((sum, { market, lots, cost }) => {
    const mark = data.contracts.mark(market)
    return mark === undefined ? sum : sum + unrealised(lots, cost, mark as Ticks, listing.market(market).market.quotePerTickLot)
  }, 0)
}

/** Accounts with a balance or debt, each with its balances. */
export function wireAccounts(context: Valued, { balances, perp, margin }: Holdings): readonly WireAccount[] {
  const { listing } = context
  type Draft = { -readonly [Name in keyof WireAccount]: WireAccount[Name] } & { balances: WireAccount['balances'][number][] }
  const accounts = new Map<string, Draft>()
  const draft = (kind: WireAccount['kind'], market: number | undefined): Draft => {
    const key = `${kind} ${market ?? ''}`
    let account = accounts.get(key)
    if (!account) {
      account = { kind, balances: [], ...(market === undefined ? {} : { symbol: listing.market(market as MarketId).market.symbol }) }
      accounts.set(key, account)
    }
    return account
  }
  for (const { account, available, held } of balances) {
    if (!('user' in account)) continue
    const coin = listing.asset(account.asset)
    const texts = { asset: coin.symbol, available: amountText(coin, available), held: amountText(coin, held) }
    draft(account.kind, account.market).balances.push(texts)
  }
  if (perp.positions.length > 0) draft('perp', undefined).unrealisedUsdt = formatUnits(openProfit(context, perp), usdtDigits)
  for (const { market, debt } of margin) {
    if (debt === (0 as Units)) continue
    draft(market === 0 ? 'margin-cross' : 'margin-isolated', market || undefined).debtUsdt = formatUnits(debt, usdtDigits)
  }
  return [...accounts.values()]
}

/** Value of balances at the last prices, rounded down per asset. An asset without a price counts as 0. */
function totalUsdt(context: Valued, balances: readonly Balance[]): bigint {
  const sums = new Map<AssetId, number>()
  for (const { account, available, held } of balances) {
    if ('user' in account) sums.set(account.asset, (sums.get(account.asset) ?? 0) + available + held)
  }
  let total = 0n
  for (const [asset, units] of sums) total += worthUsdt(context, asset, units)
  return total
}

/** Value of an amount at the last price, in millionths of a USDT, rounded down. */
export function worthUsdt({ listing, data, now }: Valued, id: AssetId, units: number): bigint {
  const asset = listing.asset(id)
  const held = BigInt(units)
  if (asset.symbol === 'USDT') return held
  const listed = listing.marketNamedIfAny(`${asset.symbol}USDT`)
  const view = listed && data.market(listed.market.id)
  if (!listed || !view) return 0n
  const last = view.ticker(now())?.last
  if (last !== undefined) return (held * BigInt(last) * BigInt(listed.market.quotePerTickLot)) / BigInt(listed.market.basePerLot)
  if (!view.index) return 0n
  return (held * BigInt(view.index.price)) / 10n ** BigInt(asset.scale + 8 - usdtDigits)
}

export const usdtText = (value: bigint): string => formatUnits(value, usdtDigits)
