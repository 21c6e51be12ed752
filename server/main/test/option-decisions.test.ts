import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { OptionTerms } from '@candor/core/protocol/command/option.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { audit } from '../../journal/audit.ts'
import { migrate } from '../../store/migrate.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { approve, close, type Ground, type Party, propose } from '../option-decisions.ts'
import { approveRegion, closeRegion, proposeRegion } from '../region-decisions.ts'
import { makeIdentity, makeLogger, reachStore } from '../roles.ts'
import { startEngine } from '../role/engine.ts'
import { readSettings, type Settings } from '../settings.ts'

const usdt = (whole: number): Units => (whole * 1_000_000) as Units

type Scene = {
  readonly ground: Ground
  readonly ann: Party
  readonly ben: Party
  readonly firm: Party
  readonly terms: OptionTerms
  day(): void
}

/** An engine in this process, two operators and the firm. */
async function scene(mode: Settings['mode'], work: (scene: Scene) => Promise<void>): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'candor-option-'))
  const settings: Settings = { ...readSettings({ CANDOR_DATA: dataFolder }, dataFolder), mode, logLevel: 'silent' }
  try {
    await using store = await reachStore(settings)
    await migrate(store)
    const main = { settings, store, logger: makeLogger(settings, 'test') }
    await using engine = await startEngine(main, () => undefined)
    const { link } = engine
    await using identity = makeIdentity(main, link, { send: () => Promise.resolve() })
    const party = async (name: string): Promise<Party> => {
      const { account, user } = await identity.createUser({ email: `${name}@firm.example`, password: 'correct horse battery' })
      return { id: account, user: user as UserId }
    }
    let ahead = 0
    const ground: Ground = { store, submit: link.submit, ask: link.ask, clock: () => Date.now() + ahead }
    const [ann, ben, firm] = [await party('ann'), await party('ben'), await party('firm')]
    await link.submit({ type: 'user.house', user: firm.user, isHouse: true })
    const { terms } = await link.ask.optionTerms()
    await work({ ground, ann, ben, firm, terms: terms as OptionTerms, day: () => (ahead += 86_400_001) })
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

test('OPTION-OPERATE-005: one operator proposes, another approves and types the sum again; the journal and the log name both and the reason', () =>
  scene('sandbox', async ({ ground, ann, ben, firm, terms, day }) => {
    const { store, submit, ask } = ground
    const gift = { type: 'funds.faucet', user: firm.user, clientId: 'f', asset: 1, amount: usdt(50_000) } as const
    assert.equal((await submit(gift as Command)).refusal, undefined)
    const before = (await ask.optionTerms()).fund
    const wish = { by: ann, reason: 'more room for stakes', terms: { ...terms, stakeMax: usdt(2_000) }, firm, amount: usdt(40_000) }
    const number = await propose(ground, wish)
    assert.equal((await ask.optionTerms()).terms?.stakeMax, usdt(1_000), 'a proposal changes nothing')

    await assert.rejects(approve(ground, number, ann, usdt(40_000)), /second person/)
    await assert.rejects(approve(ground, number, ben, usdt(4_000)), /not 4000 USDT/)
    await assert.rejects(approve(ground, number + 1_000, ben, usdt(40_000)), /no proposal/)
    const seq = await approve(ground, number, ben, usdt(40_000))
    const view = await ask.optionTerms()
    assert.deepEqual([view.terms?.stakeMax, view.fund - before], [usdt(2_000), usdt(40_000)])
    await assert.rejects(approve(ground, number, ben, usdt(40_000)), /approved before/)

    const old = await propose(ground, { ...wish, amount: usdt(0), terms: { ...terms, stakeMax: usdt(3_000) } })
    const late = await propose(ground, { ...wish, amount: usdt(0), terms: { ...terms, stakeMax: usdt(3_000) } })
    await approve(ground, old, ben, usdt(0))
    await assert.rejects(approve(ground, late, ben, usdt(0)), /changed since/)
    // Of two approvals at once, the second finds the terms of the first.
    const now = (await ask.optionTerms()).terms as OptionTerms
    const pair = [usdt(4_000), usdt(5_000)].map((stakeMax) => propose(ground, { ...wish, amount: usdt(0), terms: { ...now, stakeMax } }))
    const both = await Promise.allSettled((await Promise.all(pair)).map((one) => approve(ground, one, ben, usdt(0))))
    const failed = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    assert.equal(failed.length, 1)
    assert.match(failed[0] ?? '', /changed since/)
    const stale = await propose(ground, { ...wish, amount: usdt(0) })
    day()
    await assert.rejects(approve(ground, stale, ben, usdt(0)), /more than a day old/)

    // While another decision hangs, no proposal can be approved, but the product can be closed.
    const hanging = await store.pool.connect()
    await hanging.query("select pg_advisory_lock(hashtext('option-decided'))")
    await Promise.all([
      assert.rejects(approve(ground, stale, ben, usdt(0)), /Another decision is under way/),
      close(ground, ann, 'the index looks wrong'),
    ])
    hanging.release(true)
    assert.equal((await ask.optionTerms()).isOpen, false)
    const { rows } = await store.pool.query("select action, account, detail from audit_log where action like 'option-%' order by id")
    assert.deepEqual(
      rows.slice(0, 3).map(({ action, account }) => [action, account]),
      [
        ['option-proposed', ann.id],
        ['option-approved', ben.id],
        ['option-operated', ben.id],
      ],
    )
    assert.equal(rows[0].detail.reason, 'more room for stakes')
    assert.equal(rows[2].detail.seq, seq)
    await using projector = await startProjector({ store })
    await projector.reached((await ask.head()).seq)
    assert.deepEqual((await audit({ pool: store.pool })).problems, [])
  }))

test('OPTION-OPERATE-005: in production the product stays closed until the firm has the money, and no fund is credited from nothing', () =>
  scene('production', async ({ ground, ann, ben, firm, terms }) => {
    assert.equal((await ground.ask.optionTerms()).isOpen, false)
    const number = await propose(ground, { by: ann, reason: 'opening', terms: { ...terms, isOpen: true }, firm, amount: usdt(200_000) })
    await assert.rejects(approve(ground, number, ben, usdt(200_000)), /INSUFFICIENT_BALANCE/)
    const view = await ground.ask.optionTerms()
    assert.deepEqual([view.isOpen, view.terms?.isOpen, view.fund], [false, false, 0])
  }))

test('USER-REGION-008: one operator proposes a product for a region, another approves it once; one alone can close it', () =>
  scene('sandbox', async ({ ground, ann, ben, day }) => {
    const wish = { region: 'CH', isLeverageOpen: true, isSecondOpen: true, reason: 'licence 12' }
    const number = await proposeRegion(ground, ann, wish)
    await assert.rejects(approveRegion(ground, number, ann), /second person/)
    await assert.rejects(approveRegion(ground, number + 1_000, ben), /no proposal/)
    assert.ok((await approveRegion(ground, number, ben)) > 0)
    await assert.rejects(approveRegion(ground, number, ben), /approved before/)
    // One operator alone can't open a closed product.
    await assert.rejects(closeRegion(ground, ann, { ...wish, region: 'DE' }), { refusal: 'FORBIDDEN' })
    assert.ok((await closeRegion(ground, ann, { ...wish, isSecondOpen: false })) > 0)
    const old = await proposeRegion(ground, ann, wish)
    day()
    await assert.rejects(approveRegion(ground, old, ben), /more than a day/)
  }))
