import type { Decimal } from '@candor/core/money/brand.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireChainNetwork, WireChains, WireWithdrawStanding, WireWithdrawTerms } from '@candor/core/protocol/wire/chains.ts'
import type { Key } from '../../app/translate.ts'

/** A coin that can be withdrawn, and the networks on which it can be. */
export type Withdrawable = { readonly asset: string; readonly networks: readonly WireChainNetwork[] }

/** Coins with terms, also where these are closed now. */
export function withdrawable({ networks }: WireChains): readonly Withdrawable[] {
  const assets = networks.flatMap(({ coins }) => coins.filter(({ withdrawal }) => withdrawal !== null).map(({ asset }) => asset))
  return [...new Set(assets)].map((asset) => ({ asset, networks: networks.filter((network) => termsOf(network, asset) !== undefined) }))
}

export function termsOf({ coins }: WireChainNetwork, asset: string): WireWithdrawTerms | undefined {
  return coins.find((coin) => coin.asset === asset)?.withdrawal ?? undefined
}

/** What bounds an amount, in units of the asset. */
export type Bounds = {
  readonly available: number
  /** Deposits of the coin that must stay in the account. */
  readonly unfinal: number
  readonly min: number
  readonly fee: number
  /** What is left of the day's limit; undefined for other coins than USDT, whose value the exchange knows. */
  readonly left: number | undefined
}

export function boundsOf(
  { min, fee }: WireWithdrawTerms,
  {
    asset,
    scale,
    available,
    standing,
  }: {
    readonly asset: string
    readonly scale: number
    readonly available: Decimal
    readonly standing: WireWithdrawStanding | undefined
  },
): Bounds {
  const units = (text: Decimal): number => parseUnits(text, scale) ?? 0
  const { limit, used } = standing?.today ?? {}
  return {
    ...{ available: units(available), min: units(min), fee: units(fee) },
    unfinal: units(standing?.unfinal.find((one) => one.asset === asset)?.amount ?? '0'),
    left: asset === 'USDT' && limit !== undefined && used !== undefined ? Math.max(0, units(limit) - units(used)) : undefined,
  }
}

/** The largest amount that can be withdrawn now, 0 if none can. */
export function mostOf({ available, unfinal, left }: Bounds): number {
  return Math.max(0, Math.min(available - unfinal, left ?? Infinity))
}

/** Why an amount can't be withdrawn, as the exchange would say it; undefined for one that can. */
export function faultOf(units: number, { available, unfinal, min, left }: Bounds): Key | undefined {
  if (units > available) return 'refusals.INSUFFICIENT_BALANCE'
  if (units > available - unfinal) return 'refusals.DEPOSIT_NOT_FINAL'
  if (left !== undefined && units > left) return 'refusals.DAILY_LIMIT'
  return units < min ? 'refusals.AMOUNT_TOO_SMALL' : undefined
}

/** What arrives; undefined while nothing would. */
export function receivedOf(units: number | undefined, { fee }: Bounds, scale: number): Decimal | undefined {
  return units === undefined || units <= fee ? undefined : formatUnits(units - fee, scale)
}

/** Units of typed text; undefined unless it is a number above zero. A trailing point is no fault. */
export function typedUnits(text: string, scale: number): number | undefined {
  const units = parseUnits(text.replace(/\.$/, ''), scale)
  return units === undefined || units <= 0 ? undefined : units
}

/** How many people approve an amount. */
export function peopleFor(units: number, { autoMax, singleMax }: WireWithdrawTerms, scale: number): 'none' | 'one' | 'two' {
  if (units <= (parseUnits(autoMax, scale) ?? 0)) return 'none'
  return units <= (parseUnits(singleMax, scale) ?? 0) ? 'one' : 'two'
}
