import { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { AssetId, MarketId, OrderId, UserId } from '@candor/core/protocol/ids.ts'
import type { Outcome, Released } from '@candor/core/protocol/port.ts'
import assert from 'node:assert/strict'
import { after, afterEach, before, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { recover } from '../../journal/recover.ts'
import type { Store } from '../../store/open.ts'
import { CuttingProxy } from '../../store/test/cutting-proxy.ts'
import { type ScratchServer, startScratchServer, untilHeldUp } from '../../store/test/scratch.ts'
import { isFull, watchDisk } from '../disk.ts'
import { Engine } from '../engine.ts'
import type { EngineOptions } from '../options.ts'
import type { Link } from '../link.ts'
import { localLink } from '../local-link.ts'
import { nextCommand, openMarket, seeded } from './workload.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

const started: Engine[] = []
afterEach(async () => {
  mock.restoreAll()
  for (const engine of started.splice(0)) await engine.stop()
})

async function start(options: Partial<EngineOptions> & { store: Store }): Promise<{ engine: Engine; link: Link }> {
  const engine = await Engine.start(options)
  started.push(engine)
  return { engine, link: localLink(engine) }
}

async function trade(link: Link, count: number, seed = 1): Promise<Outcome[]> {
  const random = seeded(seed)
  const outcomes: Outcome[] = []
  for (let i = 0; i < count; i += 50) {
    const commands = Array.from({ length: Math.min(50, count - i) }, (_, j) => {
      const user = (1 + Math.floor(random() * 50)) as UserId
      return link.submit(nextCommand(random, user, `t${seed}-${i + j}`, [`t${seed}-${i - 50}`]))
    })
    outcomes.push(...(await Promise.all(commands)))
  }
  return outcomes
}

/** How long a commit may take: only those that a test holds up seem to hang, however busy the machine is. */
class Patience {
  #stallMs = 60_000

  with(options: Partial<EngineOptions> & { store: Store }): Partial<EngineOptions> & { store: Store } {
    const stallMs = (): number => this.#stallMs
    return {
      ...options,
      get stallMs() {
        return stallMs()
      },
    }
  }

  ends(): void {
    this.#stallMs = 100
  }

  returns(): void {
    this.#stallMs = 60_000
  }
}

async function isUp(engine: Engine): Promise<void> {
  while (engine.state !== 'up') await sleep(20)
}

const faucet = (clientId: string): Command => ({
  type: 'funds.faucet',
  user: 1 as UserId,
  clientId,
  asset: 1 as AssetId,
  amount: 1_000_000 as Units,
})

test('ENGINE-ACK-001: an outcome is given after its batch is in the journal, with the events that it caused', async () => {
  const store = await server.store()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  const outcome = await link.submit(faucet('one'))
  const { rows } = await store.pool.query('select max(seq) as seq from journal')
  assert.ok(rows[0].seq >= outcome.seq)
  assert.equal(outcome.refusal, undefined)
  assert.equal(outcome.events.at(-1)?.type, 'outcome')
  await engine.stop()
})

test('ENGINE-RECOVER-001: recovery from the journal, and from snapshot and tail, gives the state that was running', async () => {
  const store = await server.store()
  const first = await start({ store })
  await openMarket(first.link.submit)
  await trade(first.link, 1000)
  await first.engine.stop()
  const second = await start({ store })
  await trade(second.link, 1000, 2)
  const { seq, hash } = await second.link.ask.head()
  const tail = await recover(store.pool)
  assert.ok(tail.snapshotSeq > 0 && tail.replayed >= 1000)
  assert.deepEqual([tail.head.seq, tail.exchange.hash()], [seq, hash])
  await store.pool.query('delete from snapshots')
  const whole = await recover(store.pool)
  assert.deepEqual([whole.replayed, whole.exchange.hash()], [seq, hash])
  await second.engine.stop()
})

test('ENGINE-RECOVER-002: a damaged snapshot is passed over, a damaged row stops the start', async () => {
  const store = await server.store()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  const { hash } = await link.ask.head()
  await engine.stop()
  await store.pool.query('update snapshot_chunks set bytes = set_byte(bytes, 40, 255 - get_byte(bytes, 40))')
  const again = await start({ store })
  assert.equal((await again.link.ask.head()).hash, hash)
  await again.engine.stop()
  await store.pool.query('delete from snapshots; update journal set payload = set_byte(payload, 40, 255 - get_byte(payload, 40))')
  await assert.rejects(Engine.start({ store }), { name: 'Damaged' })
})

test('ENGINE-RECOVER-003: a row that replays to other events than were released stops the start', async () => {
  const store = await server.store()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  await engine.stop()
  await store.pool.query('delete from snapshots')
  const execute = Exchange.prototype.execute
  const mocked = mock.method(Exchange.prototype, 'execute', function (this: Exchange, ...args: Parameters<typeof execute>) {
    const result = execute.apply(this, args)
    if (this.seq === 7) args[2].reserve(2)
    return result
  })
  await assert.rejects(Engine.start({ store }), /other events/)
  mocked.mock.restore()
})

test('ENGINE-FENCE-001: a second engine takes over; the first one can not acknowledge any more', async () => {
  const store = await server.store()
  const first = await start({ store })
  await openMarket(first.link.submit)
  const second = await start({ store })
  await assert.rejects(first.link.submit(faucet('from the old one'.replaceAll(' ', '-'))), { refusal: 'STATUS_UNKNOWN' })
  assert.equal(first.engine.state, 'fenced')
  await assert.rejects(first.link.submit(faucet('again')), { refusal: 'UNAVAILABLE' })
  const outcome = await second.link.submit(faucet('from-the-old-one'))
  assert.equal(outcome.isRepeat, false, 'what the old one decided never happened')
  await first.engine.stop()
  await second.engine.stop()
})

test('ENGINE-OUTAGE-001: without its database the engine refuses, and goes on by itself when it is back', async () => {
  const direct = await server.store()
  const { proxy, url } = await CuttingProxy.start(direct.url)
  await using _ = proxy
  const store: Store = { ...direct, url }
  const patience = new Patience()
  const { engine, link } = await start(patience.with({ store, giveUpMs: 200 }))
  const states: string[] = []
  link.onState((state) => states.push(state))
  const released: Released[] = []
  link.onReleased((batch) => released.push(batch))
  await openMarket(link.submit)
  patience.ends()
  proxy.holdAnswers(true)
  const lost = link.submit(faucet('lost'))
  await assert.rejects(lost, { refusal: 'STATUS_UNKNOWN' })
  proxy.refuseConnections(true)
  proxy.cut()
  await assert.rejects(link.submit(faucet('refused')), { refusal: 'UNAVAILABLE' })
  await assert.rejects(link.ask.head(), { refusal: 'UNAVAILABLE' })
  await sleep(600)
  patience.returns()
  proxy.holdAnswers(false)
  proxy.refuseConnections(false)
  await isUp(engine)
  assert.equal((await link.submit(faucet('lost'))).isRepeat, true, 'it had reached the journal')
  assert.equal((await link.submit(faucet('refused'))).isRepeat, false, 'it had not')
  assert.deepEqual(states, ['up', 'down', 'up'])
  for (const [i, batch] of released.entries()) if (i > 0) assert.equal(batch.firstSeq, (released[i - 1]?.lastSeq ?? 0) + 1)
  const { seq, hash } = await link.ask.head()
  const recovered = await recover(direct.pool)
  assert.deepEqual([recovered.head.seq, recovered.exchange.hash()], [seq, hash])
  await engine.stop()
})

test('ENGINE-OUTAGE-002: a hanging commit: callers hear that it is unknown, and its end is taken when it comes', async () => {
  const direct = await server.store()
  const { proxy, url } = await CuttingProxy.start(direct.url)
  await using _ = proxy
  const patience = new Patience()
  const { engine, link } = await start(patience.with({ store: { ...direct, url } }))
  await openMarket(link.submit)
  patience.ends()
  const locker = await direct.pool.connect()
  await locker.query('begin; lock table journal in exclusive mode')
  await assert.rejects(link.submit(faucet('hanging')), { refusal: 'STATUS_UNKNOWN' })
  assert.equal(engine.state, 'down')
  patience.returns()
  await locker.query('commit')
  locker.release()
  await isUp(engine)
  assert.equal((await link.submit(faucet('hanging'))).isRepeat, true)
  await engine.stop()
})

test('ENGINE-HALT-001: a broken invariant halts the engine before anything of it is released, and refuses all that wait', async () => {
  const store = await server.store()
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

test('ENGINE-OUTAGE-004: what does not fit into the inbox is refused at once', async () => {
  const store = await server.store()
  const { engine, link } = await start({ store, inboxMax: 100, batchMax: 10 })
  const answers = await Promise.allSettled(
    Array.from({ length: 130 }, (_, i) =>
      link.submit({ type: 'spot.cancelAll', user: 1 as UserId, clientId: `c${i}`, market: 0 as MarketId }),
    ),
  )
  assert.ok(
    answers.every(({ status }) => status === 'rejected'),
    'one chunk of 130 is more than the inbox holds',
  )
  const fitting = Array.from({ length: 100 }, (_, i) =>
    link.submit({ type: 'spot.cancelAll', user: 1 as UserId, clientId: `d${i}`, market: 0 as MarketId }),
  )
  assert.equal((await Promise.all(fitting)).length, 100)
  await engine.stop()
})

test('ENGINE-CLOCK-001: a wall clock more than a second away pauses new orders, not cancels', async () => {
  const store = await server.store()
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

test('ENGINE-ACK-002: a question is answered when all that it saw is durable', async () => {
  const store = await server.store()
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

test('ENGINE-ACK-002: a question that saw the batch behind the running commit waits for that batch too', async () => {
  const store = await server.store()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  const first = await locked(store, 0)
  const one = link.submit(faucet('one'))
  // This lock stands in the queue between the two commits.
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

/** Locks the journal, or asks for the lock behind `before` others that wait for it, and one more. */
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

test('ENGINE-OUTAGE-003: a nearly full disk makes commands wait, not questions', async () => {
  const gib = 1024 ** 3
  assert.equal(isFull({ free: 3 * gib, total: 1000 * gib }), false, 'a few gigabytes are room enough')
  assert.equal(isFull({ free: gib, total: 1000 * gib }), true)
  let free = 10 * gib
  const changes: boolean[] = []
  using _ = watchDisk(
    '.',
    (isFullNow) => changes.push(isFullNow),
    async () => ({ free, total: 100 * gib }),
    5,
  )
  await sleep(20)
  for (const [n, size] of [gib, 10 * gib].entries()) {
    free = size
    for (let tries = 0; tries < 2_000 && changes.length <= n; tries++) await sleep(5)
  }
  assert.deepEqual(changes, [true, false])

  const store = await server.store()
  const { engine, link } = await start({ store })
  await openMarket(link.submit)
  engine.setFull(true)
  await assert.rejects(link.submit(faucet('full')), { refusal: 'UNAVAILABLE' })
  assert.equal((await link.ask.head()).seq, engine.seq)
  engine.setFull(false)
  assert.equal((await link.submit(faucet('full'))).isRepeat, false)
  await engine.stop()
})

test('ENGINE-OUTAGE-003: an engine that comes back while the disk is nearly full still takes no commands', async () => {
  const direct = await server.store()
  const { proxy, url } = await CuttingProxy.start(direct.url)
  await using _ = proxy
  const patience = new Patience()
  const { engine, link } = await start(patience.with({ store: { ...direct, url }, giveUpMs: 200 }))
  await openMarket(link.submit)
  patience.ends()
  proxy.refuseConnections(true)
  proxy.cut()
  await assert.rejects(link.submit(faucet('lost')))
  engine.setFull(true)
  patience.returns()
  proxy.refuseConnections(false)
  while (engine.state === 'down') await sleep(20)
  assert.equal(engine.state, 'full')
  await assert.rejects(link.submit(faucet('full')), { refusal: 'UNAVAILABLE' })
  engine.setFull(false)
  assert.equal((await link.submit(faucet('room'))).isRepeat, false)
  await engine.stop()
})

test('stopping waits for what was decided', async () => {
  const store = await server.store()
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

test('ENGINE-ACK-003: no order is placed twice by a client id that comes again, before or after a restart', async () => {
  const store = await server.store()
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
