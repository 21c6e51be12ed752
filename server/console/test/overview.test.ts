import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntryReason } from '@candor/core/protocol/event/index.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import type { Overview } from '@candor/core/protocol/wire/console/overview.ts'
import { btc, markets, Scenario, usdt } from '../../store/query/test/scenario.ts'
import { sumsOf, spanOf } from '../overview/figures.ts'
import { codeIn, consoleWorld } from './console-world.ts'

const world = consoleWorld()
const hour = 3_600_000
const day = 24 * hour
const [btcUsdt] = markets
const perp = { index: 1, openInterestMax: 100_000_000_000 }
const btcPerp = { ...btcUsdt, id: 4, symbol: 'BTCUSDTPERP', perp } as unknown as Market

/** Two customers and a bot of the exchange; the first two trade a week before and today, and money moves into and out of the funds. */
async function play(now: number): Promise<void> {
  const scene = new Scenario(now - 8 * day)
  scene.command({ type: 'market.listed', market: btcPerp })
  scene.open(1)
  scene.open(2)
  scene.open(3, 'maker')
  const trade = (maker: number, taker: number, price: number, lots: number) => {
    const placed = [scene.place(maker, btcUsdt, 'sell', price, lots), scene.place(taker, btcUsdt, 'buy', price, lots)] as const
    scene.trade(...placed, lots)
  }
  const fund = (system: string, delta: number, reason: EntryReason = 'endowment') =>
    scene.command(
      scene.entry({ system, asset: usdt.id }, reason, delta),
      scene.entry({ system: 'outside:chain', asset: usdt.id }, reason, -delta),
    )
  fund('insurance', 5_000_000)
  fund('option-house', 100_000_000)
  for (const user of [1, 2, 3]) {
    scene.faucet(user, usdt, 90_000_000_000)
    scene.faucet(user, btc, 900_000_000)
  }
  scene.at = now - 7 * day - hour
  trade(1, 3, 600_000, 1_000)
  scene.at = now - hour
  trade(1, 2, 600_000, 2_000)
  fund('insurance', 1_500_000)
  fund('option-house', 10_000_000, 'stake')
  fund('option-house', -7_000_000, 'payout')
  scene.command({ type: 'perp.marked', market: 4, mark: 600_000, index: 6_000_000_000_000, fundingRate: 0, fundingAt: now })
  scene.command({
    ...{ type: 'perp.position', position: 11, user: 1, market: 4, side: 'both', mode: 'isolated', leverage: 10, lots: 50_000 },
    ...{ cost: 1, margin: 1, liquidationPrice: 540_000, realised: 0, fees: 0, funding: 0, openedAt: now },
  })
  await scene.write(world().papers.world.store.pool)
}

test('CONSOLE-OVERVIEW-002: a role gets the counts of the work whose pages it may read, and no others', async () => {
  await world().papers.waiting()
  world().pass(5 * 60_000)
  const kinds = ['papers', 'recoveries', 'revocations', 'lifts', 'operations', 'proposals'] as const
  const seen = async (role: Parameters<ReturnType<typeof world>['member']>[0]) => {
    const member = await world().member(role)
    await world().logIn(member)
    const { body } = await member.browser.send('GET', '/overview')
    return kinds.filter((kind) => (body as Overview)[kind] !== null)
  }
  assert.deepEqual(await seen('compliance'), ['papers', 'recoveries', 'revocations', 'lifts', 'operations'])
  assert.deepEqual(await seen('support'), ['lifts'])
  assert.deepEqual(await seen('administrator'), ['operations', 'proposals'])
  assert.deepEqual(await seen('auditor'), [...kinds])
  const { browser } = await world().member('compliance')
  const { papers } = (await browser.send('GET', '/overview')).body
  assert.deepEqual([papers.waiting, papers.oldestAgeMs >= 5 * 60_000], [1, true])
})

test('CONSOLE-OVERVIEW-003: the figures of a day stand beside those of the same weekday a week before, up to the same hour', async () => {
  await play(world().clock())
  const member = await world().member('treasury')
  await world().logIn(member)
  const { status, body } = await member.browser.send('GET', '/overview/figures?period=day')
  assert.equal(status, 200, JSON.stringify(body))
  const now = world().clock()
  assert.deepEqual([body.from, body.comparedFrom, body.until], [now - (now % day), now - (now % day) - 7 * day, now - (now % hour)])
  const of = (name: string) => body.figures.find((one: { name: string }) => one.name === name)
  const brief = (name: string) => [of(name).value, of(name).compared, of(name).change]
  assert.deepEqual(brief('traded'), ['1200', '600', '100'])
  // Both sides of today's trade pay 0.1 %; the week before, one of them was a bot of the exchange.
  assert.deepEqual(brief('fees'), ['2.4', '0.6', '300'])
  assert.deepEqual(brief('traders'), ['2', '1', '100'])
  assert.deepEqual(brief('house'), ['3', '0', null])
  const step = Math.floor((now % day) / hour)
  assert.deepEqual([of('traded').points.length, of('traded').before.length], [step + 1, 24])
  assert.deepEqual([of('traded').points[step - 1], of('traded').before[step - 1]], ['1200', '600'])
  assert.deepEqual(of('traders').points.slice(-2), ['2', '2'])
  const week = (await member.browser.send('GET', '/overview/figures?period=week')).body
  const traded = week.figures[0]
  assert.deepEqual([traded.value, traded.compared, traded.points.length, traded.before.length], ['1200', '600', 7, 7])
  assert.match(codeIn(await member.browser.send('GET', '/overview/figures')), /^400/)
  assert.equal(codeIn(await (await world().member('support')).browser.send('GET', '/overview/figures?period=day')), '403 FORBIDDEN')
})

test('CONSOLE-OVERVIEW-004: only whole hours that are over are compared, and each hour counts in one step', () => {
  const now = Date.UTC(2026, 10, 27, 14, 32)
  for (const period of ['day', 'week', 'month'] as const) {
    const span = spanOf(period, now)
    const hours = new Map<number, bigint>()
    let seed = 7
    for (let at = span.from - span.shift; at < now; at += hour) hours.set(at, BigInt((seed = (seed * 48_271) % 2_147_483_647) % 1_000))
    const { value, present, compared, points, before } = sumsOf(hours, span)
    const sum = (texts: readonly string[]): bigint => texts.reduce((all, text) => all + BigInt(text), 0n)
    const between = (from: number, to: number) => [...hours].reduce((all, [at, one]) => (at >= from && at < to ? all + one : all), 0n)
    assert.deepEqual([sum(points), value], [value, between(span.from, now)], period)
    assert.equal(present, value - hours.get(span.until)!)
    assert.equal(compared, between(span.from - span.shift, span.until - span.shift))
    assert.equal(sum(before), between(span.from - span.shift, span.from - span.shift + span.steps * span.stepMs))
  }
})

test('CONSOLE-OVERVIEW-005: the figures are saved as a file, a row for each step, and taking it is in the log', async () => {
  const { browser, id } = await world().member('treasury')
  const newest = await world().newest()
  const { status, raw } = await browser.send('GET', '/overview/files/figures?period=day')
  assert.equal(status, 200)
  const lines = raw.toString().trim().split('\r\n')
  assert.equal(lines.length, 25)
  assert.match(lines[0]!, /^from,traded,fees,traders,customers,liquidated,stakes,house,comparedFrom,tradedBefore,/)
  const row = lines[1 + Math.floor((world().clock() % day) / hour) - 1]!
  assert.match(row, /:00:00.000Z,1200,2.4,2,/)
  const logged = (await world().log(newest)).map(({ staff, action, subject }) => [staff, action, subject])
  assert.deepEqual(logged, [[id, 'table-exported', 'overview/figures']])
})

test('CONSOLE-OVERVIEW-006: the overview says what is wrong, with its number and limit, and each check comes from a measurement', async () => {
  const member = await world().member('risk')
  await world().logIn(member)
  const { status, body } = await member.browser.send('GET', '/overview/state')
  assert.equal(status, 200, JSON.stringify(body))
  const kinds = body.problems.map(({ kind, level, subject, value, limit }: Record<string, string>) => [kind, level, subject, value, limit])
  assert.deepEqual(kinds, [
    ['engine', 'error', '', '', ''],
    ['follower', 'error', '', '', ''],
    ['fund', 'warning', 'insurance USDT', '6.5', '1500'],
  ])
  const check = (name: string) => body.checks.find((one: { name: string }) => one.name === name)
  assert.deepEqual(check('books'), { name: 'books', state: 'ok', value: '2', of: '2' })
  assert.deepEqual(check('answer'), { name: 'answer', state: 'unknown', value: '', of: '0' })
  assert.equal(check('digests').state, 'error')
  assert.equal(codeIn(await (await world().member('treasury')).browser.send('GET', '/overview/state')), '403 FORBIDDEN')
})

test('CONSOLE-OVERVIEW-007: funds stand beside their target and their change of the day, and open positions beside their limit', async () => {
  const member = await world().member('treasury')
  await world().logIn(member)
  const { status, body } = await member.browser.send('GET', '/overview/exposure')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.funds, [
    { fund: 'insurance', asset: 'USDT', balance: '6.5', target: '1500', change: '1.5' },
    { fund: 'option-house', asset: 'USDT', balance: '103', target: null, change: '3' },
  ])
  assert.deepEqual(body.markets, [{ symbol: 'BTCUSDTPERP', openInterest: '30000', limit: '100000', longs: 1, shorts: 0, largest: '30000' }])
  assert.deepEqual(body.second, { orders: 0, stakes: '0', largest: '0', cost: '0', limit: null })
  assert.equal(body.pools, null)
})
