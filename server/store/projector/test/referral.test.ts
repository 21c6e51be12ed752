import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { firstReferralTerms } from '../../../main/first/referral.ts'
import { referralDays, referralFunnel, referralSums } from '../../query/referral.ts'
import { type ScratchServer, startScratchServer } from '../../test/scratch.ts'
import { startProjector } from '../projector.ts'
import { emptyProjection } from '../rebuild.ts'
import { differences, keep } from './tables.ts'
import { WrittenJournal } from './written-journal.ts'

let server: ScratchServer
before(async () => {
  server = await startScratchServer()
})
after(() => server[Symbol.asyncDispose]())

const day = 86_400_000
const started = Date.UTC(2026, 0, 15)

test('REFERRAL-TABLES-001: commission is in a table by day, level and asset, with sums by invitee, the same written event by event or rebuilt', async () => {
  const store = await server.store()
  const written = new WrittenJournal(store.pool, 1, started)
  await written.open()
  await using projector = await startProjector({ store })
  const send = async (...commands: readonly object[]): Promise<void> => {
    await written.append(commands as readonly Command[])
    await projector.reached(written.seq)
  }
  // Users 1 to 20 are those of the opening. 21 invited 22, and 22 invited 23.
  const open = (user: number, referrer: number): readonly object[] => [
    { type: 'user.open', requestId: `invited-${user}`, class: 'retail', referrer },
    { type: 'user.certify', user, isCertified: true },
    { type: 'funds.faucet', user, clientId: '', asset: 1, amount: 1e12 },
    { type: 'funds.faucet', user, clientId: '', asset: 2, amount: 1e10 },
  ]
  await send(
    { type: 'referral.setTerms', terms: firstReferralTerms('sandbox') },
    ...open(21, 0),
    ...open(22, 21),
    ...open(23, 22),
    ...open(24, 22),
  )
  const order = {
    type: 'spot.place',
    clientId: '',
    market: 1,
    orderType: 'limit',
    timeInForce: 'GTC',
    isPostOnly: false,
    selfTrade: 'none',
  }
  const trade = (maker: number, taker: number): Promise<void> =>
    send(
      { ...order, user: maker, side: 'sell', price: 600_000, lots: 100_000 },
      { ...order, user: taker, side: 'buy', price: 600_000, lots: 100_000 },
    )
  // A BTC for 60,000 USDT: the maker pays 0.08 % in USDT, the taker 0.1 % in BTC.
  await trade(5, 23)
  await trade(23, 5)
  written.at = started + day
  await trade(23, 5)
  await send({ type: 'referral.sever', user: 24, reason: 'device' })

  const inviter = 22 as UserId
  const days = await referralDays(store.pool, inviter, started)
  assert.deepEqual(
    days.map(({ day: at, first, second }) => [at, first, second]),
    [
      [started, '21.600000', '0'],
      [started + day, '9.600000', '0'],
    ],
  )
  assert.deepEqual(await referralDays(store.pool, 21 as UserId, started + day), [{ day: started + day, first: '0', second: '2.400000' }])
  assert.deepEqual(await referralSums(store.pool, inviter), [
    { asset: 'USDT', amount: '19.200000', value: '19.200000' },
    { asset: 'BTC', amount: '0.00020000', value: '12.000000' },
  ])
  assert.deepEqual(await referralFunnel(store.pool, inviter), { invited: 2, verified: 2, trading: 1 })
  const { rows } = await store.pool.query('select user_id, inviter, is_severed, value::text from referral_invitees order by 1')
  assert.deepEqual(
    rows.map((row) => [row.user_id, row.inviter, row.is_severed, row.value]),
    [
      [22, 21, false, '0.000000'],
      [23, 22, false, '31.200000'],
      [24, 22, true, '0.000000'],
    ],
  )

  await keep(store.pool)
  await projector[Symbol.asyncDispose]()
  await emptyProjection(store.pool)
  await using again = await startProjector({ store })
  await again.reached(written.seq)
  const found = Object.keys(await differences(store.pool))
  assert.deepEqual(
    found.filter((table) => table.startsWith('referral')),
    [],
  )
})
