/** Says in words what the book does with an order that trades at once. */
import type { TimeInForce } from '@candor/core/protocol/command/spot.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { Formats } from '../../app/formats.ts'
import type { Translate } from '../../app/translate.ts'
import type { Fill } from './fill.ts'

type Asked = {
  readonly kind: string
  readonly timeInForce: TimeInForce
  /** The part that fills and the whole of the order, in the coin of its amount. */
  readonly part: string
  readonly whole: string
  readonly asset: string
}

/** Whether an order that the book can't fill loses its rest. */
export function losesRest({ kind, timeInForce }: Pick<Asked, 'kind' | 'timeInForce'>, { ownAt }: Pick<Fill, 'ownAt'>): boolean {
  return kind === 'market' || timeInForce === 'IOC' || ownAt !== undefined
}

/** Undefined where there is nothing to say: a market order that the book fills, or a limit order that only waits. */
export function fillNote(fill: Fill, asked: Asked, market: WireMarket, t: Translate, format: Formats): string | undefined {
  const { kind, timeInForce } = asked
  const isKept = kind === 'limit' && timeInForce === 'GTC'
  const own = fill.ownAt === undefined ? '' : ` ${t('orders.est.own', { price: `${format.exact(fill.ownAt)} ${market.quote}` })}`
  if (kind === 'limit' && timeInForce === 'FOK' && !fill.isComplete) return t('orders.est.fok') + own
  if (fill.average === undefined) return isKept && own === '' ? undefined : t('orders.est.nothing') + own
  const part = t('orders.partOf', { part: format.number(asked.part), whole: `${format.number(asked.whole)} ${asked.asset}` })
  const price = `${averageText(fill, market, format)} ${market.quote}`
  if (fill.isComplete) return kind === 'market' ? undefined : t('orders.est.takes', { price })
  if (losesRest(asked, fill)) return t('orders.est.short', { part }) + own
  return t('orders.est.rests', { part, price })
}

export function averageText({ average }: Pick<Fill, 'average'>, { priceDigits }: WireMarket, format: Formats): string {
  return average === undefined ? '–' : format.price(average, priceDigits)
}

/** The distance from the best price as percent with two places, rounded up. */
export function slippageText({ slippagePpm }: Pick<Fill, 'slippagePpm'>, format: Formats): string {
  return slippagePpm === undefined ? '–' : format.ppm(Math.ceil(slippagePpm / 100) * 100)
}
