/**
 * Announces the end of orders that nobody waits for: filled after they rested, expired, ended by the exchange before they were filled,
 * and settled orders of Second.
 */
import type { CloseReason } from '@candor/core/protocol/event/index.ts'
import type { AlgoUpdate } from '@candor/core/protocol/wire/algo/algo.ts'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import { marketNow } from '../../app/config.ts'
import { decimalFormats, type Formats } from '../../app/formats.ts'
import { tick } from '../../app/haptics.ts'
import { navigate, placeOf } from '../../app/location.ts'
import { onPersonChange } from '../../app/session.ts'
import { loadArea, useLang } from '../../app/texts.ts'
import { translate } from '../../app/translate.ts'
import { resultOf } from '../order/result.ts'
import { kindOf } from '../perp/words.ts'
import { announce } from '../notices/banner.tsx'
import { viewed } from '../notices/viewed.ts'

/** An order that ends sooner after it was placed is answered where it was placed. */
const restedMs = 1_500

/** Ends of an order that leave its owner with a risk that it was meant to change. */
const unwanted: ReadonlySet<CloseReason> = new Set(['ioc', 'slippage', 'self-trade', 'margin', 'balance', 'no-index', 'no-level', 'halted'])

const told = new Set<string>()
let person = 0
onPersonChange(() => {
  told.clear()
  person += 1
})

/** Announces an update of the user stream, if it is news to the user. */
export async function outcome(update: UserUpdate): Promise<void> {
  const key = keyOf(update)
  if (key === undefined || told.has(key)) return
  told.add(key)
  const forPerson = person
  await Promise.all((['notices', 'orders', 'option', 'perp'] as const).map(loadArea)).catch(() => undefined)
  // Another person may have logged in while the texts were loading.
  if (forPerson !== person) return
  const format = decimalFormats(useLang.getState().tag)
  if (update.e === 'order') sayEnded(update.order, format)
  else if (update.e === 'option') saySettled(update.order, format)
  else if (update.e === 'algo') await sayAlgo(update, format)
}

function keyOf(update: UserUpdate): string | undefined {
  if (update.e === 'order') return isNews(update.order) ? `o${update.order.id}` : undefined
  // The desk of Second shows the result itself, with more room.
  if (update.e === 'option') return update.order.result === undefined || isAt('/Second') ? undefined : `s${update.order.id}`
  if (update.e === 'algo') return update.end === undefined || update.end === 'cancelled' ? undefined : `a${update.id}`
  return undefined
}

function isNews({ status, closeReason, perp, placedAt, updatedAt }: WireOrder): boolean {
  if (status === 'expired' && closeReason === 'expired') return true
  if (perp?.liquidation === true || updatedAt - placedAt <= restedMs) return false
  if (status === 'expired') return closeReason !== undefined && unwanted.has(closeReason)
  // Filled orders of futures are announced with their position.
  return status === 'filled' && perp === undefined
}

function isAt(path: string): boolean {
  return placeOf(location.hash).path === path
}

function sayEnded(order: WireOrder, format: Formats): void {
  const market = marketNow(order.symbol)
  const [base, quote, pair] = market === undefined ? ['', '', order.symbol] : [market.base, market.quote, `${market.base}/${market.quote}`]
  const quantity = `${format.exact(order.executed)} ${base}`
  const product = order.perp === undefined ? 'spot' : 'perp'
  const history = `/entrust?product=${product}&tab=history`
  const action = { text: translate('notices.view'), run: () => views(`${history}&order=${order.id}`, order.symbol, order.updatedAt) }
  const all = { text: translate('notices.view'), run: () => navigate(history) }
  tick(12)
  if (order.status === 'expired' && order.closeReason !== 'expired') {
    if (market === undefined) return
    const { text, detail } = resultOf(order, market, translate, format)
    announce({ text: `${kindOf(order, translate)} ${pair} · ${text}`, ...(detail === undefined ? {} : { detail }), tone: 'bad', action })
    return
  }
  if (order.status === 'expired') {
    announce({
      text: translate('notices.orderExpired', { market: pair }),
      detail: translate('notices.filledOf', { quantity, whole: `${format.exact(order.quantity ?? order.executed)} ${base}` }),
      action,
      group: 'expired',
      many: (count) => ({ text: translate('notices.expiredCount', { count }), action: all }),
    })
    return
  }
  const done = order.side === 'buy' ? translate('orders.bought', { quantity }) : translate('orders.sold', { quantity })
  announce({
    text: `${pair} · ${done}`,
    ...(order.average === undefined
      ? {}
      : { detail: translate('orders.atAverage', { price: `${format.price(order.average, market?.priceDigits)} ${quote}` }) }),
    tone: 'good',
    action,
    group: 'filled',
    many: (count) => ({ text: translate('notices.filledCount', { count }), tone: 'good', action: all }),
  })
}

/** Tells what a TWAP or scaled order bought or sold, and why it ended. */
async function sayAlgo({ id, symbol }: AlgoUpdate, format: Formats): Promise<void> {
  const [{ algos }] = await Promise.all([import('../algo/api.ts'), loadArea('algo')])
  const algo = await algos.order(id).catch(() => undefined)
  const market = marketNow(symbol)
  if (algo?.end === undefined || market === undefined) return
  const quantity = `${format.exact(algo.executed)} ${market.base}`
  const done = translate(algo.side === 'buy' ? 'orders.bought' : 'orders.sold', { quantity })
  const run = (): void => {
    navigate(`/entrust?product=${market.kind}&tab=open`)
    void viewed(({ values }) => values['algo'] === id)
  }
  tick(12)
  announce({
    text: translate('algo.told', { kind: translate(`algo.title.${algo.kind}`), pair: `${market.base}/${market.quote}` }),
    detail: `${done} · ${translate(`algo.end.${algo.end}`)}`,
    tone: algo.end === 'filled' || algo.end === 'done' ? 'good' : 'bad',
    action: { text: translate('notices.view'), run },
  })
}

function saySettled(order: WireOption, format: Formats): void {
  const market = marketNow(order.symbol)
  const pair = market === undefined ? order.symbol : `${market.base}/${market.quote}`
  const profit = order.settleProfit ?? '0'
  const sign = profit.startsWith('-') ? '−' : Number(profit) === 0 ? '' : '+'
  const amount = `${sign}${format.exact(profit.replace('-', ''))} ${market?.quote ?? ''}`
  const history = '/optionentrust?tab=history'
  const view = { text: translate('notices.view'), run: () => views(history, order.symbol, order.settledAt) }
  const all = { text: translate('notices.view'), run: () => navigate(history) }
  tick(12)
  announce({
    text: `${translate('notices.kind.second-settled.title')}: ${translate(`option.result.${order.result ?? 'void'}`)}`,
    detail: `${pair} · ${amount}`,
    ...(order.result === 'win' ? { tone: 'good' } : {}),
    action: view,
    group: 'settled',
    many: (count) => ({ text: translate('notices.settledCount', { count }), action: all }),
  })
}

/** Follows *View*, and counts the entry of the list that was written at this time as read. */
function views(path: string, symbol: string, at: number | undefined): void {
  navigate(path)
  void viewed(({ createdAt, values }) => createdAt === at && values['symbol'] === symbol)
}
