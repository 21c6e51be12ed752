import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { codeIn, consoleWorld, type Member } from '../../test/console-world.ts'
import { deciding } from './deciding.ts'

const day = 86_400_000
const world = consoleWorld()
const { scene, send, read, termsOf, propose, approve } = deciding(world)

/** Terms of a market with another taker fee. */
const cheaper = async (member: Pick<Member, 'browser'>, subject: string, takerFeePpm: number) => ({
  ...{ kind: 'spot', subject, terms: { ...(await termsOf(member, subject)), takerFeePpm } },
})

test('OPERATIONS-TERMS-001: one member proposes new terms with a reason, another approves, and the core carries them out', async () => {
  const { rob, ria } = await scene()
  const terms = await termsOf(rob, 'BTCUSDT')
  assert.deepEqual([terms.takerFeePpm, terms.notionalMin, terms.lotsMin], [1_000, '5', '0.00001'])
  const before = await world().newest()
  const wish = { kind: 'spot', subject: 'BTCUSDT', terms: { ...terms, takerFeePpm: 900, notionalMin: '10' } }
  const id = await propose(rob, 'markets', wish)
  assert.equal((await termsOf(ria, 'BTCUSDT')).takerFeePpm, 1_000)
  const [shown] = (await read(ria, '/operations?state=open')).operations
  assert.deepEqual([shown.id, shown.proposedBy, shown.reason, shown.assets], [id, rob.email, 'a good reason', ['BTC', 'USDT']])
  assert.deepEqual(shown.differences, [
    { name: 'takerFeePpm', before: 1_000, after: 900 },
    { name: 'notionalMin', before: '5', after: '10' },
  ])
  assert.equal(codeIn(await approve(rob, 'markets', id)), '403 SECOND_PERSON_NEEDED')
  const done = await approve(ria, 'markets', id)
  assert.equal(done.status, 200, JSON.stringify(done.body))
  assert.deepEqual(done.body, { state: 'done', seq: world().core.exchange.seq })
  const numbers = await world().rows('select number from staff where id in ($1, $2) order by id = $2', rob.id, ria.id)
  const sent = world().core.sent.at(-1) as Extract<Command, { type: 'exchange.operate' }>
  assert.deepEqual(
    [sent.type, sent.proposer, sent.approver, sent.reason],
    ['exchange.operate', ...numbers.map(({ number }) => number), 'a good reason'],
  )
  const after = await termsOf(ria, 'BTCUSDT')
  assert.deepEqual([after.takerFeePpm, after.notionalMin], [900, '10'])
  assert.equal(codeIn(await approve(ria, 'markets', id)), '409 PROPOSAL_CLOSED')
  const log = (await world().log(before)).filter(({ action }) => action.startsWith('operation'))
  assert.deepEqual(
    log.map(({ staff, action, subject, why }) => [staff, action, subject, why]),
    [
      [rob.id, 'operation-proposed', String(id), 'a good reason'],
      [ria.id, 'operation-approved', String(id), 'a good reason'],
    ],
  )
})

test('OPERATIONS-TERMS-002: Futures, margin, fees and new markets change in the same way', async () => {
  const { rob, ria } = await scene()
  const futures = await termsOf(rob, 'BTCUSDTPERP')
  const margin = (await read(rob, '/terms/markets')).margin
  const { tiers, perpTiers } = (await read(rob, '/terms/fees')).terms
  const spot = await termsOf(rob, 'ETHUSDT')
  const listing = { ...spot, symbol: 'ATOMUSDT', base: 'ATOM', baseScale: 6, quote: 'USDT', tick: '0.001', lot: '0.01' }
  const wishes = [
    ['markets', { kind: 'futures', subject: 'BTCUSDTPERP', terms: { ...futures, fundingCap: futures.fundingCap - 1 } }],
    ['markets', { kind: 'margin', subject: '', terms: { ...margin, loanMin: '20' } }],
    ['markets', { kind: 'listing', subject: 'ATOMUSDT', terms: { ...listing, lotsMin: '0.01', lotsMax: '100000' } }],
    [
      'fees',
      { kind: 'fees', subject: '', terms: { perpTiers, tiers: [...tiers, { volumeMin: '500000000', makerPpm: 100, takerPpm: 300 }] } },
    ],
  ] as const
  for (const [area, wish] of wishes) {
    const id = await propose(rob, area, wish)
    const done = await approve(ria, area, id)
    assert.equal(done.status, 200, `${wish.kind}: ${JSON.stringify(done.body)}`)
  }
  assert.equal((await termsOf(rob, 'BTCUSDTPERP')).fundingCap, futures.fundingCap - 1)
  assert.equal((await read(rob, '/terms/markets')).margin.loanMin, '20')
  assert.deepEqual((await termsOf(rob, 'ATOMUSDT')).lotsMax, '100000')
  assert.equal((await read(rob, '/terms/fees')).terms.tiers.length, tiers.length + 1)
  assert.equal(codeIn(await send(rob, 'markets', { ...wishes[2][1], reason: 'again' })), '409 MARKET_EXISTS')
})

test('OPERATIONS-TERMS-004: a Futures market is listed by two members, on the coin and with the steps of the spot market that it follows', async () => {
  const { rob, ria } = await scene()
  const futures = await termsOf(rob, 'BTCUSDTPERP')
  const index = (await read(rob, '/terms/markets')).markets.find(
    ({ subject, kind }: { subject: string; kind: string }) => kind === 'spot' && subject === 'ETHUSDT',
  )
  const [lotsMin, lotsMax] = [index.lot, String(Number(index.lot) * 1_000)]
  const terms = { ...futures, symbol: 'ETHUSDTQUICK', index: 'ETHUSDT', lotsMin, lotsMax }
  const wish = { kind: 'futures-listing', subject: 'ETHUSDTQUICK', terms, reason: 'why' }
  const [first, ...rest] = futures.tiers
  for (const [change, code, field] of [
    [{ index: 'BTCUSDTPERP' }, 'FIELD_INVALID', 'terms.index'],
    [{ index: 'NONEUSDT' }, 'FIELD_INVALID', 'terms.index'],
    [{ leverageMax: 126 }, 'FIELD_INVALID', 'terms.leverageMax'],
    [{ fundingHours: 5 }, 'FIELD_INVALID', 'terms.fundingHours'],
    [{ tiers: [{ ...first, maintenancePpm: first.initialPpm }, ...rest] }, 'FIELD_INVALID', 'terms.tiers'],
    [{ lotsMax: '0' }, 'MARKET_TERMS_INVALID', undefined],
    [{ symbol: 'ANOTHER' }, 'FIELD_INVALID', 'subject'],
  ] as const) {
    const { status, body } = await send(rob, 'markets', { ...wish, terms: { ...terms, ...change } })
    assert.deepEqual([status, body.code, body.field], [400, code, field], JSON.stringify(change))
  }
  const id = await propose(rob, 'markets', wish)
  assert.deepEqual((await read(ria, `/operations/${id}`)).assets, ['ETH', 'USDT'])
  assert.equal(codeIn(await approve(rob, 'markets', id)), '403 SECOND_PERSON_NEEDED')
  assert.equal((await approve(ria, 'markets', id)).status, 200)
  const listed = world()
    .core.exchange.listing()
    .markets.filter(({ symbol }) => symbol === 'ETHUSDTQUICK')
  const spot = world()
    .core.exchange.listing()
    .markets.find(({ symbol }) => symbol === 'ETHUSDT')!
  assert.deepEqual(
    listed.map(({ base, quote, tick, lot, perp }) => [base, quote, tick, lot, perp?.index]),
    [[spot.base, spot.quote, spot.tick, spot.lot, spot.id]],
  )
  assert.equal(codeIn(await send(rob, 'markets', wish)), '409 MARKET_EXISTS')
})

test('OPERATIONS-TERMS-003: terms that nobody could mean are refused when they are proposed', async () => {
  const { rob, carl } = await scene()
  const terms = await termsOf(rob, 'BTCUSDT')
  const wish = { kind: 'spot', subject: 'BTCUSDT', terms: { ...terms, takerFeePpm: 1 }, reason: 'why' }
  for (const [given, code] of [
    [{ ...wish, terms }, 'FIELD_INVALID'],
    [{ ...wish, terms: { ...terms, takerFeePpm: 100_001 } }, 'MARKET_TERMS_INVALID'],
    [{ ...wish, terms: { ...terms, notionalMin: '5.0000001' } }, 'FIELD_INVALID'],
    [{ ...wish, terms: { ...terms, lotsMin: '0.000001' } }, 'FIELD_INVALID'],
    [{ ...wish, terms: { ...terms, notionalMin: 5 } }, 'FIELD_INVALID'],
    [{ ...wish, terms: { ...terms, price: 5 } }, 'FIELD_UNKNOWN'],
    [{ ...wish, terms: { takerFeePpm: 1 } }, 'FIELD_MISSING'],
    [{ ...wish, subject: 'BTCUSDTPERP' }, 'MARKET_UNKNOWN'],
    [{ ...wish, reason: 'mit Gebühr' }, 'FIELD_INVALID'],
    [{ ...wish, reason: ' ' }, 'FIELD_INVALID'],
    [{ ...wish, reason: 'x'.repeat(121) }, 'FIELD_INVALID'],
    [{ ...wish, payment: { uid: '100000001', amount: '5' } }, 'FIELD_UNKNOWN'],
  ] as const) {
    world().pass(5_000)
    const answer = codeIn(await send(rob, 'markets', given))
    assert.match(answer, new RegExp(`^40[04] ${code}$`), JSON.stringify(given))
  }
  assert.equal(codeIn(await send(carl, 'markets', wish)), '403 FORBIDDEN')
  const country = { kind: 'country', subject: 'XX', terms: { isLeverageOpen: true, isSecondOpen: true }, reason: 'why' }
  assert.equal(codeIn(await send(carl, 'countries', country)), '400 FIELD_INVALID')
  assert.equal(codeIn(await send(rob, 'countries', { ...country, subject: 'DE' })), '403 FORBIDDEN')
})

test('OPERATIONS-LAPSE-001: a proposal lapses after a day, when the terms change, and with its proposer’s role; there is one for each subject', async () => {
  const { rob, ria } = await scene()
  const first = await propose(rob, 'markets', await cheaper(rob, 'ADAUSDT', 800))
  assert.equal(codeIn(await send(ria, 'markets', { ...(await cheaper(rob, 'ADAUSDT', 700)), reason: 'mine' })), '409 PROPOSAL_OPEN')
  world().pass(day)
  await scene()
  assert.equal(codeIn(await approve(ria, 'markets', first)), '409 PROPOSAL_CLOSED')
  assert.equal((await read(ria, `/operations/${first}`)).state, 'expired')
  const second = await propose(rob, 'markets', await cheaper(rob, 'ADAUSDT', 800))
  const halted = await send(ria, 'markets/close', { kind: 'spot', subject: 'ADAUSDT', reason: 'strange prices' })
  assert.equal(halted.body.state, 'done', JSON.stringify(halted.body))
  assert.equal((await read(ria, `/operations/${second}`)).isStale, true)
  assert.equal(codeIn(await approve(ria, 'markets', second)), '409 PROPOSAL_STALE')
  assert.equal(codeIn(await approve(ria, 'markets', second)), '409 PROPOSAL_CLOSED')

  const leaver = await world().hire('risk')
  const third = await propose(leaver, 'markets', await cheaper(leaver, 'ADAUSDT', 600))
  const [ann, admin] = await world().administrators()
  const wish = { kind: 'role', staff: leaver.id, role: 'support', reason: 'other work' }
  const { body } = await ann.browser.send('POST', '/staff/proposals', wish)
  assert.equal(codeIn(await admin.browser.send('POST', `/staff/proposals/${body.id}/approve`)), '200')
  assert.equal((await read(ria, `/operations/${third}`)).state, 'expired')
  assert.equal(codeIn(await approve(ria, 'markets', third)), '409 PROPOSAL_CLOSED')
  const fourth = await propose(rob, 'markets', await cheaper(rob, 'ADAUSDT', 600))
  assert.equal((await send(ria, `markets/${fourth}/decline`, { reason: 'not now' })).status, 204)
  assert.equal(codeIn(await approve(ria, 'markets', fourth)), '409 PROPOSAL_CLOSED')
  assert.deepEqual((await read(ria, `/operations/${fourth}`)).why, 'not now')
})

test('OPERATIONS-CLOSE-001: one member alone halts a market, and closes margin trading, Second or a country, and opens nothing', async () => {
  const { rob, carl } = await scene()
  const closings = [
    [rob, 'markets/close', { kind: 'spot', subject: 'LTCUSDT' }],
    [rob, 'markets/close', { kind: 'futures', subject: 'LTCUSDTPERP' }],
    [rob, 'markets/close', { kind: 'margin', subject: '' }],
    [rob, 'house/close', { kind: 'second', subject: '' }],
  ] as const
  for (const [who, path, wish] of closings) {
    assert.match(codeIn(await send(who, path, wish)), /^400 FIELD_MISSING$/)
    const done = await send(who, path, { ...wish, reason: 'strange prices' })
    assert.equal(done.body.state, 'done', JSON.stringify(done.body))
    assert.equal(codeIn(await send(who, path, { ...wish, reason: 'again' })), '400 FIELD_INVALID')
  }
  assert.equal((await termsOf(rob, 'LTCUSDT')).isTrading, false)
  assert.equal((await termsOf(rob, 'LTCUSDTPERP')).isTrading, false)
  assert.equal((await read(rob, '/terms/markets')).margin.isOpen, false)
  assert.equal((await read(rob, '/terms/house')).isOpen, false)
  assert.equal(codeIn(await send(carl, 'markets/close', { kind: 'spot', subject: 'BTCUSDT', reason: 'no' })), '403 FORBIDDEN')
  const opening = { kind: 'country', subject: 'FR', terms: { isLeverageOpen: true, isSecondOpen: true }, reason: 'why' }
  assert.equal(codeIn(await send(carl, 'countries/close', opening)), '400 FIELD_INVALID')
})

test('USER-REGION-008: one member proposes the products of a country with the licence as the reason, another approves it once, and one alone closes', async () => {
  const { carl, cora } = await scene()
  const wish = { kind: 'country', subject: 'DE', terms: { isLeverageOpen: true, isSecondOpen: false }, reason: 'Licence 4711 of BaFin' }
  const id = await propose(carl, 'countries', wish)
  assert.equal(codeIn(await approve(carl, 'countries', id)), '403 SECOND_PERSON_NEEDED')
  assert.equal(codeIn(await approve(cora, 'markets', id)), '403 FORBIDDEN')
  assert.equal((await approve(cora, 'countries', id)).body.state, 'done')
  const row = async () => (await read(carl, '/terms/countries')).countries.find((one: { subject: string }) => one.subject === 'DE').terms
  assert.deepEqual(await row(), { isLeverageOpen: true, isSecondOpen: false })
  assert.equal(codeIn(await approve(cora, 'countries', id)), '409 PROPOSAL_CLOSED')
  const closed = { ...wish, terms: { isLeverageOpen: false, isSecondOpen: false }, reason: 'The licence has ended' }
  assert.equal((await send(cora, 'countries/close', closed)).body.state, 'done')
  assert.deepEqual(await row(), { isLeverageOpen: false, isSecondOpen: false })
})

test('OPTION-OPERATE-005: the approver types the payment into the house fund again, and only an account of the house pays', async () => {
  const { rob, ria } = await scene()
  const { core, papers } = world()
  const accounts = [(await papers.customer()).account, (await papers.customer()).account]
  await world().rows('update accounts set core_user = null')
  const payer = async (isHouse: boolean) => {
    const { user } = await core.submit({ type: 'user.open', requestId: '', class: 'retail', referrer: 0 } as unknown as Command)
    await core.submit({ type: 'user.house', user, isHouse })
    await core.submit({ type: 'funds.faucet', user, clientId: '', asset: 1, amount: 90_000_000_000 } as unknown as Command)
    const [row] = await world().rows('update accounts set core_user = $2 where id = $1 returning uid', accounts[isHouse ? 0 : 1], user)
    return row!['uid'] as string
  }
  const house = await read(rob, '/terms/house')
  assert.deepEqual(Object.keys(house.markets[0]).sort(), ['isPaused', 'orders', 'stakes', 'symbol'])
  const wish = { kind: 'second', subject: '', terms: { ...house.terms, stakeMax: '2000' } }
  const id = await propose(rob, 'house', { ...wish, payment: { uid: await payer(true), amount: '40000' } })
  for (const body of [{}, { amount: '4000' }, { amount: '400000' }])
    assert.equal(codeIn(await approve(ria, 'house', id, body)), '400 SUM_DIFFERS', JSON.stringify(body))
  assert.equal((await approve(ria, 'house', id, { amount: '40000.00' })).body.state, 'done')
  const after = await read(rob, '/terms/house')
  assert.equal(Number(after.fund) - Number(house.fund), 40_000)
  assert.equal(after.terms.stakeMax, '2000')
  const customers = await propose(rob, 'house', { ...wish, terms: after.terms, payment: { uid: await payer(false), amount: '40000' } })
  assert.equal(codeIn(await approve(ria, 'house', customers, { amount: '40000' })), '403 FORBIDDEN')
  assert.deepEqual((await read(rob, `/operations/${customers}`)).refusal, 'FORBIDDEN')
  assert.equal((await read(rob, '/terms/house')).fund, after.fund)
  const nobody = { ...wish, terms: after.terms, payment: { uid: '999999999', amount: '1' }, reason: 'why' }
  assert.equal(codeIn(await send(rob, 'house', nobody)), '400 FIELD_INVALID')
})

test('OPERATIONS-SEND-001: a decision whose command got lost or was not confirmed is carried out later, and its effect is there once', async () => {
  const { rob, ria } = await scene()
  for (const isLost of [false, true]) {
    const fee = isLost ? 710 : 720
    const id = await propose(rob, 'markets', await cheaper(rob, 'XRPUSDT', fee))
    world().core.failures.push({ isLost })
    assert.deepEqual((await approve(ria, 'markets', id)).body, { state: 'waits' })
    assert.equal((await read(ria, `/operations/${id}`)).doneAt, null)
    await world().desk.operations.finish()
    const shown = await read(ria, `/operations/${id}`)
    assert.deepEqual([shown.state, shown.seq], ['approved', world().core.exchange.seq])
    assert.equal((await termsOf(ria, 'XRPUSDT')).takerFeePpm, fee)
  }
  // A decision that waits is carried out before the next one, which would otherwise be undone by it.
  const first = await propose(rob, 'markets', await cheaper(rob, 'XRPUSDT', 650))
  world().core.failures.push({ isLost: false })
  await approve(ria, 'markets', first)
  assert.equal((await send(ria, 'markets/close', { kind: 'spot', subject: 'XRPUSDT', reason: 'strange prices' })).body.state, 'done')
  const { takerFeePpm, isTrading } = await termsOf(ria, 'XRPUSDT')
  assert.deepEqual([takerFeePpm, isTrading], [650, false])
})

test('OPERATIONS-SEND-004: a halt waits for no decision that can’t be carried out, and that one undoes no halt later', async () => {
  const { rob, ria } = await scene()
  const { operations } = world().desk
  const first = await propose(rob, 'markets', await cheaper(rob, 'SOLUSDT', 650))
  world().core.failures.push({ isLost: false }, { isLost: false })
  assert.deepEqual((await approve(ria, 'markets', first)).body, { state: 'waits' })
  const halt = await send(ria, 'markets/close', { kind: 'spot', subject: 'SOLUSDT', reason: 'strange prices' })
  assert.equal(halt.body.state, 'done', JSON.stringify(halt.body))
  await operations.finish()
  assert.deepEqual((await read(ria, `/operations/${first}`)).refusal, 'PROPOSAL_STALE')
  const { takerFeePpm, isTrading } = await termsOf(ria, 'SOLUSDT')
  assert.deepEqual([takerFeePpm, isTrading], [1_000, false])
})

test('OPERATIONS-SEND-002: a listing that got lost half-way is completed, and nothing is listed twice', async () => {
  const { rob, ria } = await scene()
  const spot = await termsOf(rob, 'ETHUSDT')
  const terms = {
    ...spot,
    symbol: 'NEARUSDT',
    base: 'NEAR',
    baseScale: 6,
    quote: 'USDT',
    tick: '0.001',
    lot: '0.01',
    lotsMin: '0.01',
    lotsMax: '100',
  }
  const id = await propose(rob, 'markets', { kind: 'listing', subject: 'NEARUSDT', terms })
  const { exchange } = world().core
  const count = () => [exchange.listing().assets.length, exchange.listing().markets.length]
  const [assets, markets] = count() as [number, number]
  world().core.failures.push({ isLost: true })
  assert.deepEqual((await approve(ria, 'markets', id)).body, { state: 'waits' })
  assert.deepEqual(count(), [assets + 1, markets])
  world().core.failures.push({ isLost: true })
  await world().desk.operations.finish()
  assert.deepEqual(count(), [assets + 1, markets + 1])
  await world().desk.operations.finish()
  assert.deepEqual(count(), [assets + 1, markets + 1])
  assert.equal((await read(ria, `/operations/${id}`)).state, 'approved')
  assert.notEqual((await read(ria, `/operations/${id}`)).doneAt, null)
})

test('OPERATIONS-LIST-001: decisions are read page by page, by area and state, and as a file without formulas', async () => {
  const { rob } = await scene()
  const all = (await read(rob, '/operations')).operations
  assert.ok(all.length > 10)
  for (const one of (await read(rob, '/operations?area=countries')).operations) assert.equal(one.area, 'countries')
  const after = await read(rob, `/operations?before=${all[3].id}`)
  assert.equal(after.operations[0].id, all[4].id)
  await propose(rob, 'markets', { ...(await cheaper(rob, 'BNBUSDT', 5)), reason: '=1+1' })
  const { raw, headers } = await rob.browser.send('GET', '/operations.csv?state=open')
  assert.match(String(headers['content-type']), /text\/csv/)
  assert.match(raw.toString(), /,'=1\+1,/)
  assert.equal((await world().log()).at(-1)!['action'], 'log-exported')
})
