import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Ticks } from '@candor/core/money/brand.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { WireNewAlert } from '@candor/core/protocol/wire/own/alerts.ts'
import { type People, startPeople } from '../../identity/test/people.ts'
import { refused } from '../../identity/test/world.ts'
import { Refused } from '../../refused.ts'
import { Alerts, type AlertParts, restMs } from '../alerts.ts'
import { changePpm, numbersOf, valueText } from '../numbers.ts'

let people: People
before(async () => {
  people = await startPeople()
})
after(() => people[Symbol.asyncDispose]())

/** Two markets whose prices the test sets, as the released events would. */
const listed = {
  BTCUSDT: { market: { id: 1, symbol: 'BTCUSDT', tick: '0.1' }, wire: { kind: 'spot' } },
  BTCUSDTPERP: { market: { id: 2, symbol: 'BTCUSDTPERP', tick: '0.1', perp: { index: 1 } }, wire: { kind: 'perp' } },
} as const
type Symbol_ = keyof typeof listed
const prices = { open: 600_000, last: 650_000, index: 6_500_000_000_000, mark: 650_000 }
let hear: ((events: readonly Event[], outcome: OutcomeEvent) => void)[] = []
let reset: (() => void)[] = []
beforeEach(() => {
  Object.assign(prices, { open: 600_000, last: 650_000, index: 6_500_000_000_000, mark: 650_000 })
})

const data = {
  listing: {
    marketNamedIfAny: (symbol: string) => listed[symbol as Symbol_],
    marketNamed(symbol: string, field = 'symbol') {
      const found = listed[symbol as Symbol_]
      if (found === undefined) throw new Refused('MARKET_UNKNOWN', { field })
      return found
    },
  },
  market: () => ({ index: { price: prices.index }, ticker: () => ({ open: prices.open, last: prices.last }) }),
  contracts: { mark: () => prices.mark },
  onCommand: (listener: (typeof hear)[number]) => hear.push(listener),
  onReset: (listener: () => void) => reset.push(listener),
} as unknown as AlertParts['data']

const opened = (others?: AlertParts['others']) =>
  new Alerts({
    ...{ store: people.store, data, now: people.clock as AlertParts['now'], ...(others && { others }) },
    onFault: (cause) => assert.fail(String(cause)),
  }).start()
const open = () => {
  hear = []
  reset = []
  return opened()
}
/** One trade at each price, in ticks of 0.1. */
const trade = (...ticks: readonly number[]): void => {
  for (const price of ticks) {
    prices.last = price
    const traded = { type: 'traded', market: 1, price, makerUser: 1, takerUser: 2 } as unknown as Event
    for (const listener of hear) listener([traded], { at: people.clock() } as OutcomeEvent)
  }
}
const above = (change: Partial<WireNewAlert> = {}): WireNewAlert => ({
  ...{ symbol: 'BTCUSDT', condition: 'above', source: 'last', level: '66000', note: 'sell some', isOn: true, isReachedFine: false },
  ...change,
})
const told = async (account: string): Promise<readonly unknown[]> => {
  const rows = await people.rows('select data from notices where account = $1 order by number', account)
  return rows.map(({ data: values }: any) => `${values.symbol} ${values.reached}`)
}
const fired = async (alerts: Alerts, account: string): Promise<readonly unknown[]> => {
  await alerts[Symbol.asyncDispose]()
  return told(account)
}

test('ALERT-TELL-001: a crossing makes one notice in inbox, mail and push, with the price that crossed', async () => {
  const { id: account } = await people.person()
  const alerts = await open()
  const { id } = await alerts.create(account, above())
  trade(655_000, 659_999, 660_005, 670_000, 650_000, 661_000)
  assert.deepEqual(await fired(alerts, account), ['BTCUSDT 66000.5'])
  const [row] = (await alerts.list(account)).alerts
  assert.deepEqual([row?.id, row?.state, row?.count, row?.last?.value], [id, 'done', 1, '66000.5'])
  const sends = await people.rows('select channel from notice_sends s join notices n on n.number = s.notice where account = $1', account)
  assert.deepEqual(sends, [{ channel: 'mail' }])
})

test('ALERT-TELL-002: a restart neither repeats a crossing nor forgets one that lasts', async () => {
  const { id: account } = await people.person()
  const first = await open()
  await first.create(account, above({ rearm: '1' }))
  trade(660_000)
  await first[Symbol.asyncDispose]()
  const second = await open()
  people.pass(restMs)
  second.roll()
  trade(661_000)
  assert.deepEqual(await told(account), ['BTCUSDT 66000.0'], 'the price is still beyond')
  // One percent below the level; the next crossing happens while nobody watches.
  trade(653_400)
  await second[Symbol.asyncDispose]()
  prices.last = 662_000
  const third = await open()
  assert.deepEqual(await fired(third, account), ['BTCUSDT 66000.0', 'BTCUSDT 66200.0'])
  assert.deepEqual(await fired(await open(), account), ['BTCUSDT 66000.0', 'BTCUSDT 66200.0'])
})

test('ALERT-TELL-003: after it was told an alert rests for a minute, however often its level is crossed; what lasts is told then', async () => {
  const { id: account } = await people.person()
  const first = await open()
  const { id } = await first.create(account, above({ rearm: '1' }))
  const swing = (): void => trade(...Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? 660_000 : 650_000)))
  swing()
  people.pass(restMs / 2)
  await first.turn(account, id, true)
  swing()
  await first[Symbol.asyncDispose]()
  assert.deepEqual(await told(account), ['BTCUSDT 66000.0'])
  prices.last = 650_000
  const second = await open()
  trade(661_000)
  people.pass(restMs / 2)
  second.roll()
  assert.deepEqual(await fired(second, account), ['BTCUSDT 66000.0', 'BTCUSDT 66100.0'])
})

test('ALERT-TELL-004: of several gateways each watches all alerts, also one that is far behind, and each crossing makes one notice', async () => {
  const { id: account } = await people.person()
  hear = []
  const heard: ((id: string) => Promise<void>)[] = []
  const said: string[] = []
  const others = { tell: (id: string) => said.push(id), hear: (listener: (typeof heard)[number]) => void heard.push(listener) }
  const [maker, other] = [await opened(others), await opened(others)]
  const repeated = await maker.create(account, above({ rearm: '1' }))
  const gone = await maker.create(account, above({ level: '65900' }))
  await maker.remove(account, gone.id)
  assert.deepEqual(said, [repeated.id, gone.id, gone.id])
  for (const id of said) await heard[1]?.(id)
  const [, late] = hear
  const missed: (() => void)[] = []
  hear[1] = (events, outcome) => void missed.push(() => late?.(events, outcome))
  const cross = (): void => {
    trade(660_000, 650_000)
    people.pass(restMs)
    maker.roll()
  }
  cross()
  cross()
  trade(660_000)
  await maker[Symbol.asyncDispose]()
  for (const hearIt of missed) hearIt()
  await other[Symbol.asyncDispose]()
  assert.deepEqual(
    await told(account),
    Array.from({ length: 3 }, () => 'BTCUSDT 66000.0'),
  )
  const [row] = await people.rows('select state, count from alerts where id = $1', repeated.id)
  assert.deepEqual(row, { state: 'waiting', count: 3 })
})

test('ALERT-ASK-001: an alert whose price is already beyond is refused until its owner says so, and then tells the next crossing', async () => {
  const { id: account } = await people.person()
  const alerts = await open()
  await assert.rejects(alerts.create(account, above({ level: '65000' })), refused('ALERT_REACHED'))
  const { state } = await alerts.create(account, above({ level: '65000', isReachedFine: true }))
  assert.equal(state, 'waiting')
  trade(651_000, 649_999, 650_000)
  assert.deepEqual(await fired(alerts, account), ['BTCUSDT 65000.0'])
})

test('ALERT-OWN-001: a pause, a change and a deletion count from the next price on, of the own alerts only', async () => {
  const [{ id: account }, { id: other }] = [await people.person(), await people.person()]
  const alerts = await open()
  const one = await alerts.create(account, above())
  const attempts = [alerts.turn(other, one.id, false), alerts.remove(other, one.id), alerts.replace(other, one.id, above())]
  await Promise.all(attempts.map((attempt) => assert.rejects(attempt, refused('NOT_FOUND'))))
  await alerts.turn(account, one.id, false)
  trade(665_000)
  assert.equal((await alerts.turn(account, one.id, true)).state, 'waiting', 'what was crossed during the pause is not told')
  trade(650_000)
  await alerts.replace(account, one.id, above({ level: '67000' }))
  trade(666_000)
  const two = await alerts.create(account, above({ condition: 'below', level: '66000' }))
  await alerts.remove(account, two.id)
  trade(650_000, 670_000)
  assert.deepEqual(await fired(alerts, account), ['BTCUSDT 67000.0'])
  assert.deepEqual(await told(other), [])
})

test('ALERT-OWN-002: a customer has at most 50 alerts, also when many are asked for at once', async () => {
  const { id: account } = await people.person()
  const alerts = await open()
  const all = await Promise.allSettled(Array.from({ length: 55 }, () => alerts.create(account, above())))
  assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 50)
  await assert.rejects(alerts.create(account, above()), refused('ALERT_LIMIT'))
  await alerts[Symbol.asyncDispose]()
  await people.rows('delete from alerts where account = $1 returning id', account)
})

test('ALERT-SOURCE-001: alerts follow trades, the index, the mark, or the change over 24 hours', async () => {
  const { id: account } = await people.person()
  const alerts = await open()
  await alerts.create(account, above({ source: 'index' }))
  await alerts.create(account, above({ source: 'mark', symbol: 'BTCUSDTPERP' }))
  await alerts.create(account, above({ source: 'index', symbol: 'BTCUSDTPERP', condition: 'below', level: '64000' }))
  await alerts.create(account, above({ condition: 'rise', level: '10' }))
  await assert.rejects(alerts.create(account, above({ source: 'mark' })), refused('FIELD_INVALID'))
  await assert.rejects(alerts.create(account, above({ level: '66000.05' })), refused('TOO_MANY_DIGITS'))
  await assert.rejects(alerts.create(account, above({ symbol: 'NOSUCH' })), refused('MARKET_UNKNOWN'))
  const say = (event: object): void => {
    for (const listener of hear) listener([event as Event], { at: people.clock() } as OutcomeEvent)
  }
  say({ type: 'index.ticked', market: 1, price: 6_600_000_000_000, isGood: false })
  say({ type: 'index.ticked', market: 1, price: 6_600_000_000_001, isGood: true })
  say({ type: 'perp.marked', market: 2, mark: 660_000 })
  say({ type: 'index.ticked', market: 1, price: 6_400_000_000_000, isGood: true })
  trade(659_999, 660_000)
  assert.deepEqual(await fired(alerts, account), [
    ...['BTCUSDT 66000.00000001', 'BTCUSDTPERP 66000.0', 'BTCUSDTPERP 64000.00000000'],
    'BTCUSDT 10.00 %',
  ])
})

test('ALERT-SOURCE-002: a percentage counts once it is fully reached, and a distance is never shorter than asked for', () => {
  const market = listed.BTCUSDT as unknown as Parameters<typeof numbersOf>[1]
  assert.deepEqual([changePpm(600_000 as Ticks, 659_999 as Ticks), changePpm(600_000 as Ticks, 540_001 as Ticks)], [99_998, -99_998])
  const rising = numbersOf({ condition: 'rise', source: 'last', level: '10', rearm: '2.5' }, market)
  assert.deepEqual([rising.direction, rising.level, rising.back], [1, 100_000, 75_000])
  const falling = numbersOf({ condition: 'fall', source: 'last', level: '10', rearm: '2.5' }, market)
  assert.deepEqual([falling.direction, falling.level, falling.back], [-1, -100_000, -75_000])
  assert.equal(numbersOf({ condition: 'above', source: 'last', level: '66000.3', rearm: '1' }, market).back, 653_402)
  assert.equal(numbersOf({ condition: 'below', source: 'last', level: '0.2', rearm: '0.5' }, market).back, 3)
  assert.equal(valueText({ condition: 'fall', source: 'last' }, market, -52_399), '-5.23')
})
