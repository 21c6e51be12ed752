import type { Decimal } from '../../../money/brand.ts'

/**
 * Reference rates of currencies: units for one US dollar, by symbol. `source`: the European Central Bank. `date`: of the rates, which
 * may be days old. They are for showing sums only; a USDT counts as a dollar.
 */
export type WireRates = {
  readonly source: 'ecb'
  readonly date: string
  readonly perUsd: readonly { readonly currency: string; readonly rate: Decimal }[]
}
