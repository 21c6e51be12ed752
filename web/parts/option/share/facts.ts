/** What the picture of a settled order says. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { type Facts, percentOf, resultOf, type Words } from '../../share/facts.ts'
import { durationOf } from '../words.ts'

/** A settled order of Second. An order that was void has no settlement price. */
export function optionFacts(order: WireOption, words: Words): Facts {
  const { t, format, market } = words
  const price = (value: Decimal | undefined): string =>
    value === undefined || Number(value) === 0 ? '–' : format.number(value, market.priceDigits, 8)
  return {
    product: `${t('trade.optionsDesk')} · ${durationOf(order.seconds, t)}`,
    pair: `${market.base}/${market.quote}`,
    side: t(`option.side.${order.direction}`),
    isRising: order.direction === 'up',
    ...resultOf(order.settleProfit ?? '0', percentOf(order.settleProfit ?? '0', order.stake), words),
    base: t('share.ofStake'),
    rows: [
      [t('share.opening'), price(order.strike)],
      [t('share.settlement'), price(order.settlePrice)],
    ],
    time: format.dateTime(order.settledAt ?? order.expiresAt),
  }
}
