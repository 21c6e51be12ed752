/** What a picture of a result says. It names the market and the figures, and nobody. */
import type { Decimal } from '@candor/core/money/brand.ts'
import { mulDivFloor } from '@candor/core/money/mul-div.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { Formats } from '../../app/formats.ts'
import type { Translate } from '../../app/translate.ts'

/** `percent` with sign and two digits, `money` with sign and coin. `base`: what the percentage is a part of. */
export type Facts = {
  readonly product: string
  readonly pair: string
  readonly side: string
  readonly isRising: boolean
  readonly outcome: 'gain' | 'loss' | 'even'
  readonly percent: string
  readonly base: string
  readonly money: string
  readonly rows: readonly (readonly [label: string, value: string])[]
  readonly time: string
}

export type Words = { readonly t: Translate; readonly format: Formats; readonly market: WireMarket }

/** Gains and losses are told in the same way, to two digits. */
export function resultOf(profit: Decimal, percent: Decimal, { format, market }: Words): Pick<Facts, 'outcome' | 'percent' | 'money'> {
  const number = Number(profit)
  const sign = number > 0 ? '+' : number < 0 ? '−' : ''
  const bare = (value: Decimal): Decimal => value.replace(/^[-+]/, '')
  return {
    outcome: number > 0 ? 'gain' : number < 0 ? 'loss' : 'even',
    percent: `${sign}${format.percent(bare(percent))}`,
    money: `${sign}${format.sum(bare(profit), market.quote)} ${market.quote}`,
  }
}

/** `profit` in percent of `of`, with two digits, rounded down: a loss never looks smaller than it is. */
export function percentOf(profit: Decimal, of: Decimal): Decimal {
  const [part, whole] = [parseUnits(profit, 8) ?? 0, parseUnits(of, 8) ?? 0]
  return formatUnits(whole === 0 ? parseUnits('0', 2)! : mulDivFloor(part, 10_000, whole), 2)
}
