/** Announces events of positions that the user did not cause, once and on any screen. */
import type { NoticeKind } from '@candor/core/protocol/wire/notices.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import { marketNow } from '../../app/config.ts'
import { decimalFormats, type Formats } from '../../app/formats.ts'
import { tick } from '../../app/haptics.ts'
import { navigate } from '../../app/location.ts'
import { onPersonChange } from '../../app/session.ts'
import { loadArea, useLang } from '../../app/texts.ts'
import { translate } from '../../app/translate.ts'
import { announce } from '../notices/banner.tsx'
import { viewed } from '../notices/viewed.ts'
import { kindOf } from './words.ts'

/** A fill that comes later than this after the order was placed is announced, because the user is not waiting for it. */
const restedMs = 1_500

const told = new Set<string>()
type LevelUpdate = Extract<UserUpdate, { readonly e: 'level' }>
/** Key of the cross account, which is not a single position. */
const crossKey = ''
/** Last reported level of each position. */
const levels = new Map<string, LevelUpdate['state']>()
/** Functions that remove open warnings, by position. */
const warnings = new Map<string, () => void>()

onPersonChange(() => {
  levels.clear()
  for (const close of warnings.values()) close()
  warnings.clear()
})

/** Announces an update of the user stream, if it is news to the user. `isLate`: it was read from the records, and may have been told. */
export async function notice(update: UserUpdate, isLate = false): Promise<void> {
  if (update.e === 'level') return sayLevel(update)
  // The notice of a liquidation replaces the warning.
  if (update.e === 'liquidation') endWarning(update.positionId)
  if (update.e === 'positionClosed') endWarning(update.closed.id)
  if (!isNews(update, isLate)) return
  await Promise.all((['perp', 'positions', 'closed', 'orders'] as const).map(loadArea)).catch(() => undefined)
  const format = decimalFormats(useLang.getState().tag)
  if (update.e === 'order') return sayFilled(update.order, format)
  if (update.e === 'liquidation') return sayLiquidation(update.positionId, update.symbol)
  if (update.e === 'deleveraged') {
    const quantity = `${format.exact(update.quantity)} ${baseOf(update.symbol)}`
    announce({
      text: translate('positions.wasDeleveraged', { pair: pairOf(update.symbol), quantity }),
      detail: translate('orders.atAverage', { price: format.exact(update.price) }),
      tone: 'bad',
      action: {
        text: translate('positions.details'),
        run: () => views('futures-deleveraged', update.symbol, '/entrust?product=perp&tab=closed'),
      },
    })
  } else if (update.e === 'funding') {
    const amount = `${format.usdt(update.funding.amount.replace('-', ''))} USDT`
    const isPaid = update.funding.amount.startsWith('-')
    announce({
      text: isPaid ? translate('positions.fundingPaid', { amount }) : translate('positions.fundingReceived', { amount }),
      detail: `${pairOf(update.funding.symbol)} · ${format.percent(update.funding.rate, 4)}`,
    })
  }
}

function isNews(update: UserUpdate, isLate: boolean): boolean {
  if (update.e === 'order') {
    const { order } = update
    return (
      order.status === 'filled' &&
      order.perp?.liquidation !== true &&
      order.updatedAt - order.placedAt > restedMs &&
      isFirst(`o${order.id}`)
    )
  }
  // A liquidation has many steps with an event each; only the first is announced.
  if (update.e === 'liquidation') return isFirst(`l${update.positionId}`)
  // A position may be deleveraged more than once, each time with an event.
  if (update.e === 'deleveraged') return isFirst(`d${update.positionId}`) || !isLate
  return update.e === 'funding' && isFirst(`f${update.funding.id}`)
}

function isFirst(key: string): boolean {
  if (told.has(key)) return false
  told.add(key)
  return true
}

function sayFilled(order: WireOrder, format: Formats): void {
  tick(12)
  const values = {
    kind: kindOf(order, translate),
    pair: pairOf(order.symbol),
    quantity: `${format.exact(order.executed)} ${baseOf(order.symbol)}`,
  }
  const run = (): void => {
    navigate(`/contract?symbol=${order.symbol}`)
    void viewed(({ createdAt, values: { symbol } }) => createdAt === order.updatedAt && symbol === order.symbol)
  }
  announce({
    text: translate('positions.filled', values),
    ...(order.average === undefined
      ? {}
      : { detail: translate('orders.atAverage', { price: format.price(order.average, marketNow(order.symbol)?.priceDigits) }) }),
    tone: 'good',
    action: { text: translate('positions.positions'), run },
  })
}

function sayLiquidation(positionId: string, symbol: string): void {
  tick(12)
  announce({
    text: translate('positions.beingLiquidated', { pair: pairOf(symbol) }),
    tone: 'bad',
    stays: true,
    action: {
      text: translate('closed.whyShort'),
      run: () => views('futures-liquidated', symbol, `/entrust?product=perp&tab=closed&why=${positionId}`),
    },
  })
}

/** Follows a link, and counts the newest notice of this kind as read. */
function views(kind: NoticeKind, symbol: string, path: string): void {
  navigate(path)
  void viewed((one) => one.kind === kind && one.values['symbol'] === symbol)
}

async function sayLevel({ symbol, positionId = crossKey, state }: LevelUpdate): Promise<void> {
  const before = levels.get(positionId)
  levels.set(positionId, state)
  if (state === before) return
  endWarning(positionId)
  if (state === 'safe') return void levels.delete(positionId)
  await loadArea('positions').catch(() => undefined)
  // The level may have changed while the texts were loading.
  if (levels.get(positionId) !== state) return
  tick(12)
  const text =
    symbol === undefined ? translate('positions.nearLiquidationCross') : translate('positions.nearLiquidation', { pair: pairOf(symbol) })
  const close = announce({
    text,
    detail: translate('positions.nearLiquidationDetail'),
    tone: 'bad',
    stays: true,
    action: {
      text: translate('positions.positions'),
      run: () => navigate(symbol === undefined ? '/contract' : `/contract?symbol=${symbol}`),
    },
  })
  warnings.set(positionId, close)
}

function endWarning(positionId: string): void {
  warnings.get(positionId)?.()
  warnings.delete(positionId)
}

function pairOf(symbol: string): string {
  const market = marketNow(symbol)
  return market === undefined ? symbol : `${market.base}/${market.quote}`
}

function baseOf(symbol: string): string {
  return marketNow(symbol)?.base ?? ''
}
