import { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { recover } from '../../journal/recover.ts'
import type { Store } from '../../store/open.ts'
import { untilHeldUp } from '../../store/test/scratch.ts'
import { localLink } from '../local-link.ts'
import { engines, faucet } from './engines.ts'
import { nextCommand, openMarket, seeded } from './workload.ts'

const { newStore, start } = engines()

test('ENGINE-ACK-001: an outcome is released after its batch is in the journal, with its events', async () => {
  const store = await newStore()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  const outcome = await link.submit(faucet('one'))
  const { rows } = await store.pool.query('select max(seq) as seq from journal')
  assert.ok(rows[0].seq >= outcome.seq)
  assert.equal(outcome.refusal, undefined)
  assert.equal(outcome.events.at(-1)?.type, 'outcome')
  await engine.stop()
})

test('ENGINE-FENCE-001: after a second engine takes over, the first one cannot acknowledge any more', async () => {
  const store = await newStore()
  const first = await start({ store })
  await openMarket(first.link.submit)
  const second = await start({ store })
  await assert.rejects(first.link.submit(faucet('from the old one'.replaceAll(' ', '-'))), { refusal: 'STATUS_UNKNOWN' })
  assert.equal(first.engine.state, 'fenced')
  await assert.rejects(first.link.submit(faucet('again')), { refusal: 'UNAVAILABLE' })
  const outcome = await second.link.submit(faucet('from-the-old-one'))
  assert.equal(outcome.isRepeat, false, 'decisions of the old one never happened')
  await first.engine.stop()
  await second.engine.stop()
})

test('ENGINE-HALT-001: a broken invariant halts the engine before its effects are released, and refuses all waiting commands', async () => {
  const store = await newStore()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  const { seq } = engine
  const execute = Exchange.prototype.execute
  const mocked = mock.method(Exchange.prototype, 'execute', function (this: Exchange, ...args: Parameters<typeof execute>) {
    if (this.seq === seq + 1) throw new Error('assets do not sum to zero')
    return execute.apply(this, args)
  })
  const asked = ['good', 'bad', ...Array.from({ length: 40 }, (_, n) => `behind-${n}`)].map((id) => link.submit(faucet(id)))
  const answers = await Promise.allSettled(asked)
  assert.ok(answers.every((answer) => answer.status === 'rejected' && answer.reason.refusal === 'UNAVAILABLE'))
  assert.equal(engine.state, 'halted')
  assert.match(engine.reason, /sum to zero/)
  mocked.mock.restore()
  await assert.rejects(link.submit(faucet('later')), { refusal: 'UNAVAILABLE' })
  assert.equal((await recover(store.pool)).head.seq, seq)
  await engine.stop()
})

test('ENGINE-CLOCK-001: a wall clock more than a second away pauses new orders, not cancels', async () => {
  const store = await newStore()
  let offset = 0
  const time = { wall: () => Date.now() + offset, steady: () => performance.now() }
  const { engine, link } = await start({ store, time })
  await openMarket(link.submit)
  const random = seeded(3)
  const order = () => {
    for (;;) {
      const command = nextCommand(random, 1 as UserId, `o${Math.floor(random() * 1e9)}`, [])
      if (command.type === 'spot.place') return command
    }
  }
  const before = await link.submit(order())
  offset = 7_200_000
  await assert.rejects(link.submit(order()), { refusal: 'CLOCK_UNSYNCED' })
  const cancel = await link.submit({
    type: 'spot.cancel',
    user: 1 as UserId,
    clientId: 'x',
    market: 1 as MarketId,
    order: before.order,
    orderClientId: '',
  })
  assert.ok(cancel.at - before.at < 5000, 'a jump of two hours lets no time pass')
  offset = 0
  assert.equal((await link.submit(order())).seq, cancel.seq + 1)
  offset = -7_200_000
  await engine.stop()
  const again = await start({ store, time })
  const { at } = await again.link.submit(faucet('later'))
  assert.ok(at >= before.at, 'time never runs backwards')
  await again.engine.stop()
})

test('ENGINE-ACK-002: a question is answered when the state that it read is durable', async () => {
  const store = await newStore()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  const before = (await link.ask.balances(1 as UserId)).find(({ account }) => account.asset === 1)?.available ?? 0
  const locker = await store.pool.connect()
  await locker.query('begin; lock table journal in exclusive mode')
  const submitted = link.submit(faucet('asked'))
  await untilHeldUp(store, 'journal')
  let isAnswered = false
  const answer = link.ask.balances(1 as UserId).finally(() => {
    isAnswered = true
  })
  await sleep(100)
  assert.equal(isAnswered, false)
  await locker.query('commit')
  locker.release()
  assert.equal((await answer).find(({ account }) => account.asset === 1)?.available, before + 1_000_000)
  await submitted
  await engine.stop()
})

test('ENGINE-ACK-002: a question that read the batch behind the running commit waits for that batch too', async () => {
  const store = await newStore()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  const first = await locked(store, 0)
  const one = link.submit(faucet('one'))
  // This lock waits in the queue between the two commits.
  const second = await locked(store, 1)
  const isDurable: boolean[] = []
  try {
    const { seq } = engine
    const two = localLink(engine).submit(faucet('two'))
    for (let seen = 0; seen < seq + 2; await sleep(1)) void engine.ask((exchange) => (seen = exchange.seq)).catch(() => undefined)
    const answer = engine.ask((exchange) => exchange.seq).then((saw) => isDurable.push(engine.seq >= saw))
    await first.opens()
    await one
    await untilHeldUp(store, 'journal')
    await sleep(50)
    assert.deepEqual([engine.seq, isDurable], [seq + 1, []])
    await second.opens()
    await Promise.all([answer, two])
    assert.deepEqual([engine.seq, isDurable], [seq + 2, [true]])
  } finally {
    await Promise.all([first.opens(), second.opens()])
  }
  await engine.stop()
})

/** Locks the journal, or asks for the lock behind `before` others that wait for it, and for one more. */
async function locked({ pool }: Store, before: number): Promise<{ opens(): Promise<void> }> {
  const waiting = `select from pg_locks where not granted and relation = 'journal'::regclass
    and database = (select oid from pg_database where datname = current_database())`
  const untilWaiting = async (count: number): Promise<void> => {
    while (((await pool.query(waiting)).rowCount ?? 0) < count) await sleep(5)
  }
  await untilWaiting(before)
  const locker = await pool.connect()
  const lock = locker.query('begin; lock table journal in exclusive mode')
  if (before === 0) await lock
  else await untilWaiting(before + 1)
  let isOpen = false
  return {
    async opens() {
      if (isOpen) return
      isOpen = true
      await lock
      await locker.query('commit')
      locker.release()
    },
  }
}

test('stopping waits for decided commands', async () => {
  const store = await newStore()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  const outcomes = Array.from({ length: 200 }, (_, i) => link.submit(faucet(`s${i}`)))
  await sleep(0)
  await new Promise((resolve) => setImmediate(resolve))
  await engine.stop()
  const answers = await Promise.allSettled(outcomes)
  const last = Math.max(...answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.seq : 0)))
  const { snapshotSeq, head } = await recover(store.pool)
  assert.equal(head.seq, last)
  assert.equal(snapshotSeq, last)
})

test('ENGINE-ACK-003: a repeated client id places no second order, before or after a restart', async () => {
  const store = await newStore()
  const first = await start({ store })
  await openMarket(first.link.submit)
  const order: Command = {
    type: 'spot.cancel',
    user: 2 as UserId,
    clientId: 'same',
    market: 1 as MarketId,
    order: 0 as OrderId,
    orderClientId: 'none',
  }
  const one = await first.link.submit(faucet('same'))
  assert.equal((await first.link.submit(faucet('same'))).isRepeat, true)
  assert.equal((await first.link.submit(order)).refusal, 'ORDER_UNKNOWN')
  await first.engine.stop()
  const second = await start({ store })
  const again = await second.link.submit(faucet('same'))
  assert.deepEqual([again.isRepeat, again.order, again.refusal], [true, one.order, one.refusal])
  await second.engine.stop()
})
