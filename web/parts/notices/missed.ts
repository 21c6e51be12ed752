/** Finds orders that ended while the socket was down, whose events were lost. Each is told once, whichever way it is learnt. */
import type { WireOrder } from '@candor/core/protocol/wire/spot.ts'
import type { UserUpdate } from '@candor/core/protocol/wire/stream.ts'
import { client } from '../../app/client.ts'
import { onPersonChange, useSession } from '../../app/session.ts'
import { outcome } from './outcomes.ts'

/** Orders that are looked up at most; the list of orders has the others. */
const lookedUpMax = 50

/** Open orders, as far as they are known. */
const open = new Set<string>()
onPersonChange(() => open.clear())

/** Takes note of an order of the user stream, and announces its end. */
export async function hear(update: UserUpdate): Promise<void> {
  if (update.e === 'order') note(update.order)
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

/** Compares the open orders with those that were open before. The first call only takes note of them. */
export async function catchUp(): Promise<void> {
  const uid = useSession.getState().me?.uid
  const isSame = (): boolean => uid !== undefined && useSession.getState().me?.uid === uid
  if (!isSame()) return
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
