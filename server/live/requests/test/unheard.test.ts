import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome } from '@candor/core/protocol/port.ts'
import type pg from 'pg'
import { OldIds } from '../old-ids.ts'

const user = 7 as UserId
const ring = 800
/** What one look lets pass. */
const allowed = ring / 8

test('GATEWAY-ONCE-007: a gateway looks at a user’s ring again when others sent much of it, and no message said so', async () => {
  let asked = 0
  let sent = 0
  const ids = new OldIds({
    submit: async () => {
      sent++
      return {} as Outcome
    },
    ask: {
      requestRoom: async () => {
        asked++
        return { seq: 0, ring, left: ring, isCrowded: false, next: 0 }
      },
    },
    freshness: { reached: async () => true },
    pool: {} as pg.Pool,
  })
  const send = () => ids.submit(commandOf({ type: 'spot.cancel', user, clientId: `id-${sent}`, market: 1, order: 1, orderClientId: '' }))
  await send()
  await send()
  assert.equal(asked, 1)
  for (let n = 0; n < 3 * allowed - 1; n++) ids.saw(user)
  await send()
  assert.equal(asked, 1)
  ids.saw(user)
  await send()
  assert.equal(asked, 2)
  ids.saw(8 as UserId)
  await send()
  assert.deepEqual([asked, sent], [2, 5])
})
