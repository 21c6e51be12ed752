import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@candor/core/protocol/market.ts'
import { markets, Scenario, usdt } from '../../store/query/test/scenario.ts'
import { storeSums } from '../../store/query/console/trial.ts'
import { codeIn, consoleWorld } from './console-world.ts'

const world = consoleWorld()
const at = Date.UTC(2026, 0, 15)
const [btcUsdt, ethUsdt] = markets
const terms = { index: 1, openInterestMax: 100_000_000_000 }
const btcPerp = { ...btcUsdt, id: 4, symbol: 'BTCUSDTPERP', perp: terms } as unknown as Market

const position = (number: number, user: number, lots: number, liquidationPrice: number) => ({
  ...{ type: 'perp.position', position: number, user, market: 4, side: 'both', mode: 'isolated', leverage: 10, lots, cost: 6_000_000_000 },
  ...{ margin: 600_000_000, liquidationPrice, realised: 0, fees: 0, funding: 0, openedAt: at },
})

/** Two positions in a contract at 60,000, money in several accounts, and trades. */
async function play(): Promise<void> {
  const scene = new Scenario(at)
  scene.command({ type: 'market.listed', market: btcPerp })
  for (const user of [1, 2]) scene.open(user)
  scene.faucet(1, usdt, 90_000_000_000)
  scene.faucet(2, usdt, 90_000_000_000)
  scene.command({ type: 'perp.marked', market: 4, mark: 600_000, index: 6_000_000_000_000, fundingRate: 0, fundingAt: at })
  scene.command(position(11, 1, 50_000, 540_000), position(12, 2, -20_000, 612_000))
  const insurance = (delta: number) => scene.entry({ system: 'insurance', asset: usdt.id }, 'endowment', delta)
  scene.command(insurance(5_000_000), scene.entry({ system: 'outside:chain', asset: usdt.id }, 'endowment', -5_000_000))
  const [maker, taker] = [scene.place(1, ethUsdt, 'buy', 200_000, 100), scene.place(2, ethUsdt, 'buy', 100_000, 10)]
  assert.ok(maker.order < taker.order)
  await scene.write(world().papers.world.store.pool)
}

test('CONSOLE-WATCH-001: the risk page has open interest against its limit, the largest positions and those closest to liquidation', async () => {
  await play()
  const { browser } = await world().member('risk')
  const { status, body } = await browser.send('GET', '/risk')
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(body.markets, [
    {
      ...{ symbol: 'BTCUSDTPERP', phase: null, mark: '60000', markedAt: at, longs: 1, shorts: 1, quantity: '0.5' },
      ...{ openInterest: '30000', limit: '100000', largest: '30000' },
    },
  ])
  const shown = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ position, side, value, distance }) => [position, side, value, distance])
  assert.deepEqual(shown(body.largest), [
    ['11', 'long', '30000', '10.00'],
    ['12', 'short', '12000', '2.00'],
  ])
  assert.deepEqual(shown(body.closest), shown(body.largest).toReversed())
  assert.deepEqual([body.funds, body.pools, body.house], [[{ fund: 'insurance', asset: 'USDT', balance: '5' }], null, null])
})

test('CONSOLE-WATCH-002: each table of a reading page is a file, and taking it is in the log of the staff', async () => {
  const { browser, id } = await world().member('risk')
  const newest = await world().newest()
  const { status, raw, headers } = await browser.send('GET', '/risk/files/closest')
  assert.equal(status, 200)
  assert.match(String(headers['content-disposition']), /risk-closest\.csv/)
  const [head, first] = raw.toString().split('\r\n')
  assert.match(head!, /^uid,position,symbol,side,/)
  assert.match(first!, /,12,BTCUSDTPERP,short,/)
  assert.deepEqual(
    (await world().log(newest)).map(({ staff, action, subject }) => [staff, action, subject]),
    [[id, 'table-exported', 'risk/closest']],
  )
  assert.match(codeIn(await browser.send('GET', '/risk/files/nothing')), /^400/)
})

test('CONSOLE-WATCH-003: the ledger page has the balances and postings of any account, and the lines of any command, which sum to zero', async () => {
  const { browser } = await world().member('treasury')
  const { body } = await browser.send('GET', '/ledger/account?house=insurance')
  assert.deepEqual(body.balances, [{ kind: 'insurance', market: '', asset: 'USDT', available: '5', held: '0', seq: body.balances[0].seq }])
  const [posting] = body.postings
  assert.deepEqual([posting.owner, posting.reason, posting.available, posting.availableAfter], [null, 'endowment', '5', '5'])
  const command = (await browser.send('GET', `/ledger/command?seq=${posting.seq}`)).body
  assert.deepEqual([command.postings.length, command.sums], [2, [{ asset: 'USDT', sum: '0' }]])
  const { to } = await world().papers.world.customer()
  const [account] = await world().rows('select uid, core_user from accounts where email = $1', to)
  const scene = (await browser.send('GET', `/ledger/account?uid=${account!['uid']}`)).body
  assert.equal(account!['core_user'], 1)
  assert.deepEqual(
    scene.postings.map(({ owner, reason, available }: Record<string, string>) => [owner, reason, available]),
    [[account!['uid'], 'faucet', '90000']],
  )
  assert.equal(codeIn(await browser.send('GET', '/ledger/account?uid=999999999')), '404 NOT_FOUND')
  assert.equal(codeIn(await browser.send('GET', '/ledger/account')), '404 NOT_FOUND')
})

test('CONSOLE-WATCH-004: the trial balance sums to zero per asset, now and after any command, from whichever sums are nearest', async () => {
  const { browser } = await world().member('treasury')
  const { pool } = world().papers.world.store
  const trial = async (seq?: number) => (await browser.send('GET', `/ledger${seq === undefined ? '' : `?seq=${seq}`}`)).body
  const now = await trial()
  assert.deepEqual(now.assets, [{ asset: 'USDT', customers: '180000', exchange: '-180000', sum: '0' }])
  const [{ seq: paid }] = (await world().rows("select min(seq)::int as seq from ledger_entries where reason = 'faucet'")) as [
    { seq: number },
  ]
  const expected = async (seq: number) =>
    world().rows(
      `select asset, user_id = 0 as "isHouse", kind, trim_scale(sum(delta + held_delta))::text as total from ledger_entries
       where seq <= $1 group by 1, 2, 3 having sum(delta + held_delta) <> 0 order by 1, 2, 3`,
      seq,
    )
  const places = Array.from({ length: now.seq }, (_, place) => place + 1)
  for (const seq of places) {
    const { rows, assets } = await trial(seq)
    assert.deepEqual(rows, await expected(seq), `after ${seq}`)
    for (const { sum } of assets) assert.equal(sum, '0')
    world().pass(5_000)
    await world().logIn(await world().member('treasury'))
  }
  assert.equal((await trial(paid)).assets[0].customers, '90000')
  await storeSums(pool, 1)
  const stored = await trial(now.seq - 1)
  assert.deepEqual([stored.readFrom, stored.rows], [now.seq, await expected(now.seq - 1)])
})

test('CONSOLE-CUSTOMER-005: a look at a customer’s accounts on the ledger page is in the log, too', async () => {
  const { browser, id } = await world().member('treasury')
  const { account } = await world().papers.world.customer()
  const [{ uid }] = (await world().rows('select uid from accounts where id = $1', account)) as [{ uid: string }]
  const newest = await world().newest()
  for (let count = 0; count < 2; count++) assert.equal((await browser.send('GET', `/ledger/account?uid=${uid}`)).status, 200)
  assert.deepEqual(
    (await world().log(newest)).map(({ staff, action, subject }) => [staff, action, subject]),
    [[id, 'customer-seen', uid]],
  )
})
