/**
 * Finds what ended while the socket was down, or while the phone had put the page to sleep, whose events were lost. Each is told once,
 * whichever way it is learnt.
 */
import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import { client, queries } from '../../app/client.ts'
import { onPersonChange, useSession } from '../../app/session.ts'
import { outcome } from './outcomes.ts'

/** Orders that are looked up at most; the list of orders has the others. */
const lookedUpMax = 50
/** By how much the clocks of phone and exchange may differ after `exchangeTime`. */
const slackMs = 5_000

/** Open orders, as far as they are known. */
const open = new Set<string>()
/** Orders of Second whose results came over the socket. */
const settled = new Set<string>()
/** Until when the results of Futures and Second are known. */
let knownUntil: number | undefined
onPersonChange(() => {
  open.clear()
  settled.clear()
  knownUntil = undefined
})

/** Takes note of an order of the user stream, and announces its end. */
export async function hear(update: UserUpdate): Promise<void> {
  if (update.e === 'order') note(update.order)
  if (update.e === 'option' && update.order.result !== undefined) settled.add(update.order.id)
  await outcome(update)
}

function note({ id, status, perp }: WireOrder): void {
  if (perp !== undefined) return
  if (isOpen(status)) open.add(id)
  else open.delete(id)
}

function isOpen(status: WireOrder['status']): boolean {
  return status !== 'filled' && status !== 'cancelled' && status !== 'expired'
}

/** Announces what ended since the last call. The first call only takes note of what there is. */
export async function catchUp(): Promise<void> {
  const uid = useSession.getState().me?.uid
  const isSame = (): boolean => uid !== undefined && useSession.getState().me?.uid === uid
  if (!isSame()) return
  const since = knownUntil
  const now = exchangeTime()
  await Promise.all([compareOpen(isSame), ...(since === undefined ? [] : [readFutures(since, isSame), readSecond(since, isSame)])])
  if (isSame()) knownUntil = now - slackMs
}

/** The exchange's time, by the last list of markets. */
function exchangeTime(): number {
  const list = queries.getQueryState<WireConfig>(['config'])
  return Date.now() + (list?.data === undefined ? 0 : list.data.serverTime - list.dataUpdatedAt)
}

/** Compares the open orders of Spot and Margin with those that were open before. */
async function compareOpen(isSame: () => boolean): Promise<void> {
  const before = [...open]
  const now = new Set((await client.spot.openOrders()).map(({ id }) => id))
  if (!isSame()) return
  const gone = before.filter((id) => open.has(id) && !now.has(id))
  for (const id of now) open.add(id)
  for (const id of gone) open.delete(id)
  for (const id of gone.slice(-lookedUpMax)) {
    const { order } = await client.spot.order(id)
    if (!isSame()) return
    await outcome({ e: 'order', E: order.updatedAt, seq: 0, order })
  }
}

/** Orders of Futures that ended, positions that were liquidated or deleveraged, and funding. */
async function readFutures(since: number, isSame: () => boolean): Promise<void> {
  const [{ perp }, { notice }] = await Promise.all([import('../perp/api.ts'), import('../perp/notices.ts')])
  const asked = { limit: lookedUpMax }
  const [orders, closed, funding] = await Promise.all([perp.history(asked), perp.closedPositions(asked), perp.funding(asked)])
  const tell = async (update: UserUpdate): Promise<void> => {
    if (isSame()) await notice(update, true)
  }
  for (const { id, symbol, cause, completedAt, settlePrice, openQuantity } of closed.items.toReversed()) {
    const of = { E: completedAt, seq: 0, positionId: id, symbol }
    if (completedAt <= since) continue
    if (cause === 'liquidation') await tell({ e: 'liquidation', ...of })
    if (cause === 'deleverage') await tell({ e: 'deleveraged', ...of, price: settlePrice, quantity: openQuantity })
  }
  for (const order of orders.items.toReversed()) {
    if (order.updatedAt <= since) continue
    const update = { e: 'order', E: order.updatedAt, seq: 0, order } as const
    await tell(update)
    if (isSame()) await outcome(update)
  }
  for (const one of funding.items.toReversed()) if (one.time > since) await tell({ e: 'funding', E: one.time, seq: 0, funding: one })
}

/** Orders of Second that were settled. */
async function readSecond(since: number, isSame: () => boolean): Promise<void> {
  const { option } = await import('../option/data.ts')
  for (const order of (await option.history({ limit: lookedUpMax })).items.toReversed()) {
    if (!isSame() || settled.has(order.id) || (order.settledAt ?? 0) <= since) continue
    settled.add(order.id)
    await outcome({ e: 'option', E: order.settledAt ?? 0, seq: 0, order })
  }
}
