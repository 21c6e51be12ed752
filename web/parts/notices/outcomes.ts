/** Announces the end of orders that nobody waits for: filled after they rested, expired, and settled orders of Second. */
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import { queries } from '../../app/client.ts'
import { decimalFormats, type Formats } from '../../app/formats.ts'
import { tick } from '../../app/haptics.ts'
import { navigate, placeOf } from '../../app/location.ts'
import { onPersonChange } from '../../app/session.ts'
import { loadArea, useLang } from '../../app/texts.ts'
import { translate } from '../../app/translate.ts'
import { announce } from './banner.tsx'

/** An order that ends sooner after it was placed is answered where it was placed. */
const restedMs = 1_500

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
  await Promise.all((['notices', 'orders', 'option'] as const).map(loadArea)).catch(() => undefined)
  // Another person may have logged in while the texts were loading.
  if (forPerson !== person) return
  const format = decimalFormats(useLang.getState().tag)
  if (update.e === 'order') sayEnded(update.order, format)
  else if (update.e === 'option') saySettled(update.order, format)
}

function keyOf(update: UserUpdate): string | undefined {
  if (update.e === 'order') return isNews(update.order) ? `o${update.order.id}` : undefined
  // The desk of Second shows the result itself, with more room.
  if (update.e === 'option') return update.order.result === undefined || isAt('/Second') ? undefined : `s${update.order.id}`
  return undefined
}

function isNews({ status, closeReason, perp, placedAt, updatedAt }: WireOrder): boolean {
  if (status === 'expired') return closeReason === 'expired'
  // Filled orders of futures are announced with their position.
  return status === 'filled' && perp === undefined && updatedAt - placedAt > restedMs
}

function isAt(path: string): boolean {
  return placeOf(location.hash).path === path
}

function marketOf(symbol: string): WireMarket | undefined {
  return queries.getQueryData<WireConfig>(['config'])?.markets.find((market) => market.symbol === symbol)
}

function sayEnded(order: WireOrder, format: Formats): void {
  const market = marketOf(order.symbol)
  const [base, quote, pair] = market === undefined ? ['', '', order.symbol] : [market.base, market.quote, `${market.base}/${market.quote}`]
  const quantity = `${format.exact(order.executed)} ${base}`
  const product = order.perp === undefined ? 'spot' : 'perp'
  const history = `/entrust?product=${product}&tab=history`
  const action = { text: translate('notices.view'), run: () => navigate(`${history}&order=${order.id}`) }
  const all = { text: translate('notices.view'), run: () => navigate(history) }
  tick(12)
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
      : { detail: translate('orders.atAverage', { price: `${format.number(order.average)} ${quote}` }) }),
    tone: 'good',
    action,
    group: 'filled',
    many: (count) => ({ text: translate('notices.filledCount', { count }), tone: 'good', action: all }),
  })
}

function saySettled(order: WireOption, format: Formats): void {
  const market = marketOf(order.symbol)
  const pair = market === undefined ? order.symbol : `${market.base}/${market.quote}`
  const profit = order.settleProfit ?? '0'
  const sign = profit.startsWith('-') ? '−' : Number(profit) === 0 ? '' : '+'
  const amount = `${sign}${format.exact(profit.replace('-', ''))} ${market?.quote ?? ''}`
  const view = { text: translate('notices.view'), run: () => navigate('/optionentrust?tab=history') }
  tick(12)
  announce({
    text: `${translate('notices.kind.second-settled.title')}: ${translate(`option.result.${order.result ?? 'void'}`)}`,
    detail: `${pair} · ${amount}`,
    ...(order.result === 'win' ? { tone: 'good' } : {}),
    action: view,
    group: 'settled',
    many: (count) => ({ text: translate('notices.settledCount', { count }), action: view }),
  })
}
