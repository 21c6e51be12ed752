import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Link } from '../../server/engine/link.ts'

/**
 * Requests with client ids after which the core needs no more memory for them. It sweeps out what it no longer remembers when two million
 * entries of 32 bytes wait, and reuses their memory; the index of that many takes 32 MB.
 */
const fillCount = 2_200_000
const inFlight = 1_024

/**
 * Sends requests that are refused, which leave nothing but what is remembered of each, until `toCome` more fill the core's memory of
 * requests. Returns how many.
 */
export async function fill(link: Pick<Link, 'submit'>, users: readonly UserId[], toCome: number): Promise<number> {
  const count = Math.max(0, fillCount - toCome)
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) {
      const clientId = `fill-${next++}`
      const user = users[next % users.length]!
      await link.submit({ type: 'spot.cancel', user, clientId, market: 1 as MarketId, order: 0 as OrderId, orderClientId: 'none' })
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  return count
}
