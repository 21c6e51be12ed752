/** The accounts of a transfer and the coins that they can hold. */
import type { WireBalances } from '@candor/core/protocol/wire/funds.ts'
import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import type { Decimal } from '@candor/core/money/brand.ts'
import { usdtAccounts } from '@candor/core/risk/account.ts'

/** Accounts that transfers use. Lending has its own routes. */
export const movable = ['spot', 'perp', 'margin-cross', 'margin-isolated', 'option'] as const
export type Place = (typeof movable)[number]

export type Move = {
  readonly from: Place
  readonly to: Place
  readonly asset: string
  /** Pair of the isolated account on either side; kept even if neither is isolated. */
  readonly symbol: string
}

export function isPlace(text: string | null): text is Place {
  return movable.some((place) => place === text)
}

/** Whether a transfer to this account needs a verified user. Money can always return to the spot account. */
export function needsCertificate(to: Place): boolean {
  return to !== 'spot'
}

/** Coins that both accounts can hold, in the exchange's order. */
export function assetsFor({ from, to, symbol }: Pick<Move, 'from' | 'to' | 'symbol'>, config: WireConfig): readonly string[] {
  const market = config.markets.find((one) => one.symbol === symbol)
  const holds = (place: Place, asset: string): boolean =>
    place === 'margin-isolated' ? asset === market?.base || asset === market?.quote : asset === 'USDT' || !usdtAccounts.includes(place)
  return config.assets.map((asset) => asset.symbol).filter((asset) => holds(from, asset) && holds(to, asset))
}

/** The transfer after a change of one side: between two different accounts, and with a coin that both can hold. */
export function choose(move: Move, change: Partial<Move>, config: WireConfig): Move {
  const asked = { ...move, ...change }
  const isOnto = asked.from === asked.to
  const next = !isOnto ? asked : change.from !== undefined ? { ...asked, to: move.from } : { ...asked, from: move.to }
  const assets = assetsFor(next, config)
  return assets.includes(next.asset) ? next : { ...next, asset: assets.includes('USDT') ? 'USDT' : (assets[0] ?? next.asset) }
}

/** Available balance of a coin in an account; undefined while balances are unknown. */
export function freeIn(balances: WireBalances | undefined, place: Place, { asset, symbol }: Move): Decimal | undefined {
  if (balances === undefined) return undefined
  const account = balances.accounts.find((one) => one.kind === place && (place !== 'margin-isolated' || one.symbol === symbol))
  return account?.balances.find((one) => one.asset === asset)?.available ?? '0'
}
