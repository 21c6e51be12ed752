import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { Changes } from '../../../operations/changes.ts'
import { operationsDb } from '../../../operations/tables.ts'
import { codeIn, consoleWorld } from '../../test/console-world.ts'
import { deciding } from './deciding.ts'

const world = consoleWorld()
const { scene, send, read, propose, approve } = deciding(world)

test('CONVERT-TERMS-002: two members change the terms of conversions with all units of their coins, one alone closes them, and the public list names no hedger', async () => {
  const { rob, ria } = await scene()
  const { core, papers } = world()
  const { account } = await papers.customer()
  const { user } = await core.submit({ type: 'user.open', requestId: '', class: 'maker', referrer: 0 } as unknown as Command)
  await core.submit({ type: 'user.house', user, isHouse: true })
  const [{ uid }] = await world().rows('update accounts set core_user = $2 where id = $1 returning uid', account, user)
  const now = (await read(rob, '/terms/markets')).conversion
  const coin = now.shelves.find(({ asset }: { asset: string }) => asset === 'BTC')
  const shelves = [...now.shelves.filter((row: object) => row !== coin), { ...coin, band: '1.5' }]
  const terms = { ...now, spreadPpm: 2000, largest: '60000', hedger: uid, shelves }
  const wish = { kind: 'conversion', subject: '', terms, reason: 'why' }
  for (const [change, code] of [
    [{ driftPpm: 2001 }, '400 FIELD_INVALID'],
    [{ hedger: '999999999' }, '404 USER_UNKNOWN'],
    [{ shelves: [{ asset: 'BTC', target: '0.000000001', band: '1' }] }, '400 FIELD_INVALID'],
    [{ shelves: [{ asset: 'NONE', target: '1', band: '1' }] }, '400 FIELD_INVALID'],
    [{ shelves: [coin, coin] }, '400 FIELD_INVALID'],
  ] as const)
    assert.equal(codeIn(await send(rob, 'markets', { ...wish, terms: { ...terms, ...change } })), code, JSON.stringify(change))
  const id = await propose(rob, 'markets', wish)
  assert.equal(codeIn(await approve(rob, 'markets', id)), '403 SECOND_PERSON_NEEDED')
  assert.equal((await approve(ria, 'markets', id)).body.state, 'done')
  const after = core.exchange.convert.terms()!
  const { id: btc } = core.exchange.listing().assets.find(({ symbol }) => symbol === 'BTC')!
  assert.deepEqual([after.spreadPpm, after.max, after.hedger], [2000, 60_000_000_000, user])
  assert.equal(after.shelves.find(({ asset }) => asset === btc)!.band, 150_000_000)
  const [told] = (await new Changes(operationsDb(papers.world.store), core.ask).page()).changes
  assert.deepEqual([told!.kind, told!.differences.map(({ name }) => name)], ['conversion', ['spreadPpm', 'largest', 'shelves']])
  assert.equal((await send(ria, 'markets/close', { kind: 'conversion', subject: '', reason: 'strange prices' })).body.state, 'done')
  assert.equal(core.exchange.convert.terms()!.isOpen, false)
})

test('REFERRAL-TERMS-004: two members change what inviters get, one alone closes it, and shares above half of a fee are refused', async () => {
  const { rob, ria, carl } = await scene()
  const now = (await read(rob, '/terms/fees')).referral
  const terms = {
    ...now,
    tiers: [
      { volumeMin: '500', sharePpm: 300_000 },
      { volumeMin: '0', sharePpm: 150_000 },
    ],
  }
  const wish = { kind: 'referral', subject: '', terms: { ...terms, closedIn: [{ region: 'US' }, { region: 'DE' }, { region: 'US' }] } }
  for (const change of [
    { tiers: [{ volumeMin: '0', sharePpm: 460_000 }] },
    { tiers: [] },
    { days: 0 },
    { closedIn: [{ region: 'usa' }] },
  ]) {
    const refused = await send(rob, 'fees', { ...wish, reason: 'why', terms: { ...wish.terms, ...change } })
    assert.equal(codeIn(refused), '400 FIELD_INVALID', JSON.stringify(change))
  }
  assert.equal(codeIn(await send(carl, 'fees', { ...wish, reason: 'why' })), '403 FORBIDDEN')
  const id = await propose(rob, 'fees', wish)
  assert.equal(codeIn(await approve(rob, 'fees', id)), '403 SECOND_PERSON_NEEDED')
  assert.equal((await approve(ria, 'fees', id)).body.state, 'done')
  const { referral } = world().core.exchange
  assert.deepEqual(referral.terms()!.closedIn, ['DE', 'US'])
  assert.deepEqual(
    referral.terms()!.tiers.map(({ sharePpm }) => sharePpm),
    [150_000, 300_000],
  )
  assert.equal((await send(ria, 'fees/close', { kind: 'referral', subject: '', reason: 'a farm of accounts' })).body.state, 'done')
  assert.equal(referral.terms()!.isOpen, false)
})
