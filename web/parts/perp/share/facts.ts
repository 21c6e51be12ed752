/** What the picture of a position says. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireClosedPosition, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import { type Facts, percentOf, resultOf, type Words } from '../../share/facts.ts'
import type { Standing } from '../risk.ts'

/** An open position at its mark: before the fee of closing it. */
export function openFacts(
  position: WirePosition,
  standing: Standing,
  { mark, at }: { readonly mark: string; readonly at: number },
  words: Words,
): Facts {
  const { t, format, market } = words
  return {
    ...futures(position, words),
    ...resultOf(standing.profit, standing.roe, words),
    base: t('share.ofMargin'),
    rows: [
      [t('share.entry'), priceText(position.entryPrice, words)],
      [t('share.mark'), format.number(mark, market.priceDigits, market.priceDigits)],
    ],
    time: format.dateTime(at),
  }
}

/** A closed position: after fees and funding. */
export function closedFacts(position: WireClosedPosition, words: Words): Facts {
  const { t, format } = words
  return {
    ...futures(position, words),
    ...resultOf(position.settleProfit, percentOf(position.settleProfit, position.openAmount), words),
    base: t('share.ofMarginNet'),
    rows: [
      [t('share.entry'), priceText(position.openPrice, words)],
      [t('share.exit'), priceText(position.settlePrice, words)],
    ],
    time: format.dateTime(position.completedAt),
  }
}

function futures(position: WirePosition | WireClosedPosition, { t, market }: Words): Pick<Facts, 'product' | 'pair' | 'side' | 'isRising'> {
  const isLong = position.side === 'buy'
  return {
    product: `${t('trade.futures')} · ${t(`perp.mode.${position.mode}`)}`,
    pair: `${market.base}/${market.quote}`,
    side: `${isLong ? t('perp.long') : t('perp.short')} ${position.leverage}×`,
    isRising: isLong,
  }
}

function priceText(value: Decimal, { format, market }: Words): string {
  return format.number(value, market.priceDigits, market.priceDigits)
}
