import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Ppm, Units } from '../../../money/brand.ts'
import { commission } from '../../../risk/referral.ts'
import { Ledger } from '../../../ledger/ledger.ts'
import { eventLength } from '../../../protocol/codec/event.ts'
import { Exchange } from '../../exchange.ts'
import { Volumes } from '../../records/volumes.ts'
import { contract, marketTerms, perpTerms, PerpWorld } from '../../perp/test/world.ts'
import { asProduction } from '../../test/production.ts'
import { btc, dayMs, one, referralTerms, type ReferralWorld, referralWorld, usdt } from './referral-world.ts'

test('REFERRAL-PAY-001: each trade pays a share of the invitee’s fee to the inviter, in the asset of the fee, out of the fees', () => {
  const referral = referralWorld()
  const told = referral.trades('dan', 'bob')
  // One BTC at 50,000: bob receives it less a fee of 0.001 BTC, of which ann gets 20 %.
  assert.deepEqual(referral.paid(told), ['ann < bob, 1: 20000 of BTC'])
  const entries = told.of('entry').filter(({ reason }) => reason === 'referral')
  assert.deepEqual(
    entries.map(({ account, delta }) => [account, delta]),
    [
      [{ system: 'fees', asset: btc }, -20_000],
      [{ user: referral.world.user('ann'), kind: 'spot', asset: btc }, 20_000],
    ],
  )
  assert.deepEqual([referral.fees(btc), referral.fees(usdt)], [80_000, 50 * one])
  // As a maker, bob pays in USDT.
  assert.deepEqual(referral.paid(referral.trades('bob', 'dan')), [`ann < bob, 1: ${10 * one} of USDT`])
  referral.world.isReplayable()
})

test('REFERRAL-PAY-002: the inviter’s own inviter gets a second, smaller share of the same fee', () => {
  const referral = referralWorld()
  const told = referral.trades('dan', 'cid')
  assert.deepEqual(referral.paid(told), ['bob < cid, 1: 20000 of BTC', 'ann < cid, 2: 5000 of BTC'])
  assert.deepEqual(
    told.of('referral.paid').map(({ value, market, trade }) => [value, market, trade]),
    [
      [10 * one, 1, 1],
      [2.5 * one, 1, 1],
    ],
  )
})

test('REFERRAL-PAY-003: Futures trades pay from the fees that were charged, in USDT', () => {
  const referral = referralWorld()
  const perp = new PerpWorld(referral.world)
  perp.do({ type: 'perp.list', symbol: 'BTCPERP', base: btc, quote: usdt, tick: '1', lot: '0.001', terms: marketTerms, perp: perpTerms })
  for (let n = 0; n < 12; n++) perp.index(50_000)
  for (const name of ['bob', 'dan']) perp.moves(name, '100000')
  perp.sell('dan', 50_000, 1000).isAccepted()
  const told = perp.buy('bob', 50_000, 1000).isAccepted()
  assert.deepEqual(told.traded('50000×1000').of('traded')[0]?.takerFee, 25 * one)
  assert.deepEqual(referral.paid(told), [`ann < bob, 1: ${5 * one} of USDT`])
  assert.equal(told.of('referral.paid')[0]?.market, contract)
  referral.world.isReplayable()
})

test('REFERRAL-PAY-004: shares are rounded down, and what is below one unit stays in the fees', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.integer({ min: 1, max: 400_000 }), (fee, first) => {
      const parts = [first, 50_000].map((ppm) => commission(fee as Units, ppm as Ppm))
      const exact = (ppm: number): bigint => (BigInt(fee) * BigInt(ppm)) / 1_000_000n
      assert.deepEqual(parts.map(BigInt), [exact(first), exact(50_000)])
      assert.ok(parts[0]! + parts[1]! <= fee / 2)
    }),
  )
})

test('REFERRAL-TIER-001: the share rises with the invitees’ trading of 30 days, and the trade that reaches a tier is paid before it', () => {
  const referral = referralWorld({ tiers: [referralTerms.tiers[0], { volumeMin: 90_000 * one, sharePpm: 250_000 }] })
  const share = (): readonly string[] => referral.paid(referral.trades('dan', 'bob'))
  const standing = () => referral.world.exchange.referral.standing(referral.world.user('ann'))
  assert.deepEqual([share(), share()], [['ann < bob, 1: 20000 of BTC'], ['ann < bob, 1: 20000 of BTC']])
  assert.deepEqual([standing().volume, standing().tier, standing().today.used], [100_000 * one, 1, 20 * one])
  assert.deepEqual(share(), ['ann < bob, 1: 25000 of BTC'])
  referral.wait(31 * dayMs)
  referral.do({ type: 'clock.tick' }).isAccepted()
  assert.deepEqual([standing().volume, standing().tier, standing().today.used], [0, 0, 0])
  assert.deepEqual(share(), ['ann < bob, 1: 20000 of BTC'])
  referral.world.isReplayable()
})

test('REFERRAL-BOND-001: the bond lasts the days of the terms from the opening of the invitee’s account', () => {
  const referral = referralWorld({ days: 30 })
  const opened = referral.world.atMs
  referral.world.atMs = opened + 30 * dayMs - 1
  assert.equal(referral.trades('dan', 'cid').of('referral.paid').length, 2)
  referral.world.atMs = opened + 30 * dayMs
  assert.deepEqual(referral.paid(referral.trades('dan', 'cid')), [])
  referral.joins('eve', 'cid')
  referral.world.gives('eve', 'USDT', '100000')
  assert.deepEqual(referral.paid(referral.trades('dan', 'eve')), ['cid < eve, 1: 20000 of BTC', 'bob < eve, 2: 5000 of BTC'])
})

test('REFERRAL-BOND-002: a bond that was ended pays neither level any more; ending it again changes nothing', () => {
  const referral = referralWorld()
  const [ann, bob] = ['ann', 'bob'].map((name) => referral.world.user(name))
  const sever = () => referral.do({ type: 'referral.sever', user: bob, reason: 'document' }).isAccepted()
  assert.deepEqual(sever().of('referral.severed'), [{ type: 'referral.severed', user: bob, inviter: ann, reason: 'document' }])
  assert.equal(referral.world.exchange.referral.standing(bob!).inviter, 0)
  assert.deepEqual(sever().events.length, 1)
  assert.deepEqual(referral.paid(referral.trades('dan', 'bob')), [])
  assert.deepEqual(referral.paid(referral.trades('dan', 'cid')), ['bob < cid, 1: 20000 of BTC'])
  referral.do({ type: 'referral.sever', user: 99, reason: 'device' }).isRefused('USER_UNKNOWN')
  referral.world.isReplayable()
})

test('REFERRAL-BOND-003: nobody is invited by an account that does not exist yet, so there are no cycles', () => {
  const referral = referralWorld()
  const next = referral.world.exchange.userCount + 1
  for (const referrer of [next, next + 1])
    referral.do({ type: 'user.open', requestId: '', class: 'retail', referrer }).isRefused('REFERRER_UNKNOWN')
})

/** The slot after the volumes of Spot in a dump whose assets begin at `start`. */
function afterVolumes(slots: Float64Array, start: number): number {
  let at = start + 1
  for (let events = slots[start]! + 1; events > 0; events--) at += eventLength(slots, at, slots.length)
  return new Volumes().restore(slots, new Ledger().restore(slots, at, 20), 20)
}

test('REFERRAL-BOND-004: invitees of an earlier version of the core are bound from the takeover on', () => {
  const referral = referralWorld()
  const { exchange } = referral.world
  // A dump of version 17: the bits of the users, the volumes of Futures and the last six sections are not there.
  const slots = new Float64Array(new Uint8Array(exchange.dump()).buffer)
  const [ofPresale, ofReferral, ofFirms, ofDeadlines, ofAlgos] = [2, 1 + 7 + 2 * 4 + (1 + 2 * 2) + 1 + 2 * 2, 2, 3, 1]
  const ofPrevented = 1 + 2 * exchange.listing().markets.filter(({ perp }) => perp === undefined).length
  slots[1] = 17
  const [head, invited] = [7, 8]
  for (let user = 0; user < exchange.userCount; user++) slots[head + 2 * user] = slots[head + 2 * user]! & ~invited
  const known = slots.slice(0, slots.length - ofPresale - ofReferral - ofFirms - ofDeadlines - ofPrevented - ofAlgos)
  const volumesOfPerp = afterVolumes(known, head + 2 * exchange.userCount)
  assert.equal(known[volumesOfPerp], 0)
  const old = new Float64Array([...known.slice(0, volumesOfPerp), ...known.slice(volumesOfPerp + 1)])
  referral.world.exchange = Exchange.restore(new Uint8Array(old.buffer))
  assert.equal(referral.world.exchange.referral.terms(), null)
  assert.equal(referral.world.exchange.referral.standing(referral.world.user('bob')).inviter, referral.world.user('ann'))
  const takeover = referral.world.atMs
  referral.terms({ days: 30 }).isAccepted()
  referral.world.atMs = takeover + 30 * dayMs - 1
  assert.equal(referral.trades('dan', 'cid').of('referral.paid').length, 2)
  referral.world.atMs = takeover + 30 * dayMs
  assert.equal(referral.trades('dan', 'cid').of('referral.paid').length, 0)
})

test('REFERRAL-FAIR-001: a trade between two of inviter, invitee and the inviter’s inviter pays nobody', () => {
  const referral = referralWorld()
  for (const [maker, taker] of [
    ['ann', 'bob'],
    ['bob', 'ann'],
    ['bob', 'cid'],
    ['cid', 'ann'],
    ['ann', 'cid'],
  ] as const)
    assert.deepEqual(referral.paid(referral.trades(maker, taker, 100)), [], `${maker} and ${taker}`)
  // Two invitees of the same inviter pay: the fees of both are more than both shares.
  referral.joins('eve', 'ann')
  referral.world.gives('eve', 'USDT', '100000')
  assert.equal(referral.trades('bob', 'eve').of('referral.paid').length, 2)
})

test('REFERRAL-FAIR-002: trades of a user with himself and trades within the house pay nothing', () => {
  const referral = referralWorld()
  referral.world.sell('bob', 50_000, 10).isAccepted()
  assert.deepEqual(referral.paid(referral.world.buy('bob', 50_000, 10, { selfTrade: 'none' }).isAccepted()), [])
  for (const name of ['bob', 'dan']) referral.do({ type: 'user.house', user: referral.world.user(name), isHouse: true }).isAccepted()
  assert.deepEqual(referral.paid(referral.trades('dan', 'bob')), [])
})

for (const [why, set] of [
  ['is not certified', { type: 'user.certify', isCertified: false }],
  ['is frozen', { type: 'user.set', isFrozen: true }],
  ['belongs to the house', { type: 'user.house', isHouse: true }],
  ['belongs to the staff', { type: 'user.staff', isStaff: true }],
  ['lives where referral is closed', { type: 'user.locate', region: 'DE+US' }],
] as const)
  test(`REFERRAL-FAIR-003: nothing is paid to an inviter or for an invitee who ${why}`, () => {
    const change = (name: string, isInviter: boolean): readonly string[] => {
      const referral = referralWorld({ closedIn: ['US'] })
      referral.world.sell('cid', 50_000, 1000).isAccepted()
      referral.do({ ...set, user: referral.world.user(name) }).isAccepted()
      const before = [referral.fees(usdt), referral.fees(btc)]
      const told = referral.world.buy('dan', 50_000, 1000).isAccepted().traded('50000×1000')
      const [fees] = told.of('traded')
      if (!isInviter)
        assert.deepEqual([referral.fees(usdt), referral.fees(btc)], [before[0]! + fees!.makerFee, before[1]! + fees!.takerFee])
      return referral.paid(told)
    }
    assert.deepEqual(change('cid', false), [])
    assert.deepEqual(change('bob', true), [`ann < cid, 2: ${2.5 * one} of USDT`])
    assert.deepEqual(change('ann', true), [`bob < cid, 1: ${10 * one} of USDT`])
  })

test('REFERRAL-CAP-001: no invitee’s trades pay more on a UTC day than the cap, and no inviter gets more', () => {
  // Each trade pays bob 10 USDT and ann 2.5 USDT.
  const perInvitee = referralWorld({ inviteeDayMax: 24 * one })
  const paid = (referral: ReferralWorld) => referral.trades('dan', 'cid').of('referral.paid').length
  assert.deepEqual([paid(perInvitee), paid(perInvitee), paid(perInvitee)], [2, 1, 0])
  perInvitee.wait(dayMs)
  assert.equal(paid(perInvitee), 2)
  const perInviter = referralWorld({ inviterDayMax: 19 * one })
  assert.deepEqual([paid(perInviter), paid(perInviter)], [2, 1])
  assert.deepEqual(perInviter.world.exchange.referral.standing(perInviter.world.user('bob')).today, { limit: 19 * one, used: 10 * one })
  perInviter.world.isReplayable()
})

test('REFERRAL-CAP-002: commission in an asset without a price in USDT stays in the fees', () => {
  const referral = referralWorld()
  referral.world.gives('dan', 'ETH', '10')
  referral.world.sell('dan', 5000, 1000, { market: 2 }).isAccepted()
  // The fee is in ETH, which has no market in USDT; BTC has one.
  assert.deepEqual(referral.paid(referral.world.buy('bob', 5000, 1000, { market: 2 }).isAccepted()), [])
})

test('REFERRAL-TERMS-001: terms that contradict each other are refused, and so is more than half of a fee', () => {
  const { tiers } = referralTerms
  for (const wrong of [
    { tiers: [] },
    { tiers: tiers.slice(1) },
    { tiers: [tiers[0], tiers[0]] },
    { tiers: [tiers[1], tiers[0]] },
    { tiers: [{ volumeMin: 0, sharePpm: 0 }] },
    { tiers: [{ volumeMin: 0, sharePpm: 450_001 }] },
    { tiers: [tiers[0], { volumeMin: 5, sharePpm: 199_999 }] },
    { tiers: Array.from({ length: 11 }, (_, n) => ({ volumeMin: n, sharePpm: 1 })) },
    { secondPpm: -1 },
    { secondPpm: 100_001 },
    { days: 0 },
    { days: 3651 },
    { inviteeDayMax: 0 },
    { inviterDayMax: 2 ** 48 + 1 },
    { closedIn: ['US', 'DE'] },
    { closedIn: ['DE', 'DE'] },
  ])
    referralWorld().terms(wrong).isRefused('FIELD_INVALID')
  referralWorld({ secondPpm: 100_000 })
  assert.deepEqual(referralWorld().world.exchange.referral.terms(), referralTerms)
})

test('REFERRAL-TERMS-002: closed referral pays nothing, and trades of that time pay nothing later', () => {
  const referral = referralWorld({ isOpen: false })
  assert.deepEqual(referral.paid(referral.trades('dan', 'cid')), [])
  referral.terms({}).isAccepted()
  assert.deepEqual(referral.do({ type: 'clock.tick' }).of('referral.paid'), [])
})

test('REFERRAL-TERMS-003: in production two members of the staff decide the terms; one alone can close referral', () => {
  const referral = referralWorld()
  asProduction(referral.world)
  const [proposer, reason] = [4, 'test']
  const decide = (terms: object, approver: number) =>
    referral.do({
      type: 'exchange.operate',
      proposer,
      approver,
      reason,
      change: { type: 'referral.setTerms', terms: { ...referralTerms, ...terms } },
    })
  referral.terms({}).isRefused('FORBIDDEN')
  decide({ secondPpm: 1 }, 4).isRefused('FORBIDDEN')
  decide({ isOpen: false }, 4).isAccepted()
  decide({}, 4).isRefused('FORBIDDEN')
  decide({ secondPpm: 1 }, 5).isAccepted()
  assert.equal(referral.world.exchange.referral.terms()?.secondPpm, 1)
})
