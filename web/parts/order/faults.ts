/** What is wrong with a field of an order, said so that it names the field and the limit. */
import { ApiError } from '@candor/client/errors.ts'
import type { Ppm, Ticks } from '@candor/core/money/brand.ts'
import { formatTicks, parseTicks } from '@candor/core/money/price.ts'
import type { Refusal } from '@candor/core/protocol/refusal.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { bandHigh, bandLow } from '@candor/core/risk/spot.ts'
import type { Formats } from '../../app/formats.ts'
import type { Translate } from '../../app/translate.ts'

const fields: readonly (readonly [RegExp, 'price' | 'stop' | 'trail' | 'display' | 'amount'])[] = [
  [/^PRICE_/, 'price'],
  [/^TRIGGER_|^OCO_/, 'stop'],
  [/^TRAIL_/, 'trail'],
  [/^DISPLAY_/, 'display'],
  [/^QUANTITY_|^NOTIONAL_|^(INSUFFICIENT_BALANCE|MARGIN_INSUFFICIENT|OPEN_INTEREST_FULL|POSITION_TOO_LARGE|NO_LIQUIDITY)$/, 'amount'],
]

/** The field that a refusal of the exchange is about; undefined if it is about no single one. */
export function refusedField(error: unknown): { readonly field: (typeof fields)[number][1]; readonly name: Refusal } | undefined {
  if (!(error instanceof ApiError)) return undefined
  const field = fields.find(([codes]) => codes.test(error.code))?.[1]
  return field === undefined ? undefined : { field, name: error.code }
}

export type Fault = {
  readonly field: string
  readonly name: Refusal
  readonly market: WireMarket
  /** Price in ticks that the market's band is measured from; undefined while it is unknown. */
  readonly reference: number | undefined
  /** The typed price. */
  readonly price: string
}

const missing = { price: 'price', stop: 'trigger', trail: 'trail', takeProfit: 'exits', stopLoss: 'exits' } as const

/** The sentence at the field. Other refusals keep the exchange's own text. */
export function sayFault({ field, name, market, reference, price }: Fault, t: Translate, format: Formats): string {
  switch (name) {
    case 'FIELD_MISSING':
      return t(`orders.wrong.${field in missing ? missing[field as keyof typeof missing] : 'amount'}`)
    case 'PRICE_INVALID':
      return t('orders.wrong.priceStep', { step: format.exact(market.tick) })
    case 'QUANTITY_INVALID':
      return t('orders.wrong.quantityStep', { step: `${format.exact(market.lot)} ${market.base}` })
    case 'QUANTITY_TOO_SMALL':
      return t('orders.wrong.least', { min: `${format.exact(market.quantityMin)} ${market.base}` })
    case 'QUANTITY_TOO_LARGE':
      return t('orders.wrong.most', { max: `${format.exact(market.quantityMax)} ${market.base}` })
    case 'NOTIONAL_TOO_SMALL':
      return t('orders.wrong.worth', { min: `${format.exact(market.notionalMin)} ${market.quote}` })
    case 'PRICE_OUTSIDE_BAND': {
      const typed = parseTicks(price, market.tick)
      if (typed === undefined || reference === undefined) break
      const [at, band] = [reference as Ticks, market.bandPpm as Ppm]
      const [low, high] = [bandLow(at, band), bandHigh(at, band)]
      if (typed > high) return t('orders.wrong.above', { price: format.exact(formatTicks(high, market.tick)) })
      if (typed < low) return t('orders.wrong.below', { price: format.exact(formatTicks(low, market.tick)) })
    }
  }
  return t(`refusals.${name}`)
}
