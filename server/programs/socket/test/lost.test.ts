import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ask } from '@candor/core/protocol/port.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { MarketData } from '../../../live/data.ts'
import { CancelNames } from '../cancel-names.ts'
import type { Listener } from '../../../sockets/listen-key.ts'
import { UserData, type UserStream } from '../user-data.ts'

const asset = { id: 1, symbol: 'USDT', scale: 6 }

/** The part of the market data that user streams depend on, driven by hand. */
class Feed {
  batch = (): void => undefined
  reset = (): void => undefined
  readonly asked: (() => void)[] = []
  readonly listing = { asset: () => asset }
  readonly orders = { know: () => new Promise<void>((done) => this.asked.push(done)) }

  onBatch(listener: () => void): void {
    this.batch = listener
  }

  onReset(listener: () => void): void {
    this.reset = listener
  }
}

const stream: UserStream = { user: 7 as UserId, kind: 'spot', market: 0 }
const entry = (user: number, available: number): Event =>
  ({
    ...{ type: 'entry', account: { user, kind: 'spot', asset: 1 }, reason: 'faucet', delta: 5, heldDelta: 0, available, held: 0 },
  }) as Event
const outcome = { type: 'outcome', seq: 1, at: 1_000, user: 7, order: 0, refusal: undefined, isRepeat: false } as unknown as OutcomeEvent

function listener() {
  const said: string[] = []
  const left: string[] = []
  let lost = 0
  const own: Listener = {
    say: (event) => void said.push(JSON.parse(event).e),
    flush: () => left.push(...said.splice(0)),
    onLost: () => lost++,
  }
  return { own, left, lost: () => lost }
}

test('API-USER-013: every follower gets each event once, in one write per batch, and is disconnected when events were missed', async () => {
  const feed = new Feed()
  const users = new UserData(feed as unknown as MarketData, {} as Ask, new CancelNames())
  const [one, two] = [listener(), listener()]
  const joining = Promise.all([users.join(stream, one.own), users.join(stream, two.own)])
  users.onCommand([entry(7, 5)], outcome)
  feed.batch()
  assert.deepEqual([one.left, two.left], [[], []], 'nothing is promised before the orders are known')
  for (const done of feed.asked) done()
  const [leaveOne, leaveTwo] = await joining
  users.onCommand([entry(7, 10), entry(8, 1)], outcome)
  users.onCommand([entry(8, 2)], outcome)
  assert.deepEqual(one.left, [], 'messages leave with the batch')
  feed.batch()
  assert.deepEqual(one.left, ['balanceUpdate', 'outboundAccountPosition'])
  assert.deepEqual(two.left, one.left)
  leaveOne()
  leaveOne()
  users.onCommand([entry(7, 15)], outcome)
  feed.batch()
  assert.deepEqual([one.left.length, two.left.length], [2, 4])
  feed.reset()
  assert.deepEqual([one.lost(), two.lost()], [0, 1])
  leaveTwo()
  assert.equal(users.isListening(7 as UserId), false)
})
