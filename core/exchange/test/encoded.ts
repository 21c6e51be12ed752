/** Spot commands as the core receives them, for tests of the memory that it reads ahead. */
import type { Millis } from '../../money/brand.ts'
import { encodeCommand } from '../../protocol/codec/command.ts'
import { Records } from '../../protocol/codec/records.ts'
import type { Command } from '../../protocol/command/index.ts'
import { start } from './world.ts'

export type Sent = {
  readonly type: 'spot.place' | 'spot.cancel' | 'spot.amend' | 'clock.tick'
  readonly user?: number
  readonly clientId?: string
  readonly market?: number
  readonly side?: 'buy' | 'sell'
  readonly price?: number
  readonly order?: number
  readonly orderClientId?: string
}
/** `starts`: position of each command in `data`. */
export type Encoded = { readonly data: Float64Array; readonly length: number; readonly starts: readonly number[] }

/** `from`: sequence number of the last command before these. */
export function encoded(sent: readonly Sent[], from = 0): Encoded {
  const into = new Records()
  const starts: number[] = []
  for (const [n, { type, ...given }] of sent.entries()) {
    const base = { user: 1, clientId: '', market: 1 }
    const place = { side: 'buy', orderType: 'limit', timeInForce: 'GTC', price: 99, lots: 60, isPostOnly: false, selfTrade: 'none' }
    const fields = type === 'clock.tick' ? {} : type === 'spot.place' ? { ...base, ...place } : { ...base, order: 0, orderClientId: '' }
    const amended = type === 'spot.amend' ? { lots: 61 } : {}
    starts.push(into.length)
    encodeCommand({ type, ...fields, ...amended, ...given } as Command, { seq: from + n + 1, at: start as Millis, keyId: 1 }, into)
  }
  return { data: into.data, length: into.length, starts }
}
