import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileVerdict } from '@candor/core/proof/any-file.ts'
import { dayOf } from '@candor/core/proof/chain/possession.ts'
import type pg from 'pg'
import { check } from '../../../../core/proof/test/story.ts'
import { anchorsBefore, anchorTimes } from '../../../store/query/proof/anchors.ts'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { addressOf } from '../../evm/build.ts'
import { readersOf } from '../../nodes.ts'
import { EvmPayoutChain } from '../../payout/evm/chain.ts'
import { feeTerms } from '../../payout/fees.ts'
import { JsonRpc } from '../../rpc/json-rpc.ts'
import { storeHead } from '../../reserves/test/stored-head.ts'
import { chainId } from '../../test/anvil.ts'
import { EvmTreasuryLab, finality } from '../../treasury/test/evm-lab.ts'
import { Anchorer, type AnchorerOptions, anchorSteps } from '../anchorer.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

class Ended extends Error {}

/** A lab whose signer writes heads, with money for it and a head of today. */
async function openLab(): Promise<EvmTreasuryLab> {
  const lab = await EvmTreasuryLab.open(server, (policy, custody) =>
    Object.assign(policy.networks[0]!, { anchor: { from: custody.anchor, feeMax: `${10n ** 17n}`, feeDay: `${10n ** 18n}` } }),
  )
  await lab.anvil.client.setBalance({ address: addressOf(lab.signing.custody.anchor), value: 10n ** 20n })
  await lab.mine(finality + 2)
  await storeHead(lab.store.pool, 1, Date.now())
  return lab
}

function maker(lab: EvmTreasuryLab, change: Partial<AnchorerOptions> = {}, bumpMs = 1e9): Anchorer {
  const { network, signing, store } = lab
  const from = signing.custody.anchor
  const chain = new EvmPayoutChain({ nodes: [new JsonRpc(lab.anvil.url)], chainId, from, fees: { ...feeTerms, bumpMs } })
  return new Anchorer({
    ...{ pool: store.pool, network: 'ethereum', chainId, from, chain, reader: readersOf(network)[0]!, signer: signing.link },
    ...{ clock: Date.now, times: { resendMs: 0, retryMs: 0 }, ...change },
  })
}

async function rows(pool: pg.Pool) {
  const text = 'select day, head, state, nonce, trouble from anchors order by day'
  return (await pool.query<{ day: string; head: number; state: string; nonce: number | null; trouble: string | null }>(text)).rows
}

const sent = (lab: EvmTreasuryLab) => lab.anvil.client.getTransactionCount({ address: addressOf(lab.signing.custody.anchor) })

/** Blocks and passes until the anchor is in a final one. */
async function settle(lab: EvmTreasuryLab, make: () => Anchorer): Promise<void> {
  for (let round = 0; round < 40; round++) {
    await make().pass()
    if ((await rows(lab.store.pool)).some(({ state }) => state === 'settled')) return
    await lab.anvil.mine(2)
  }
  assert.fail(JSON.stringify(await rows(lab.store.pool)))
}

test('PROOF-ANCHOR-004: the newest head of the day is in one transaction a day, and the public list proves it', async () => {
  await using lab = await openLab()
  await storeHead(lab.store.pool, 2, Date.now())
  await settle(lab, () => maker(lab))
  await storeHead(lab.store.pool, 3, Date.now())
  for (let round = 0; round < 3; round++) await maker(lab).pass()
  assert.deepEqual(await rows(lab.store.pool), [{ day: dayOf(Date.now()), head: 2, state: 'settled', nonce: 0, trouble: null }])
  assert.equal(await sent(lab), 1)
  const anchors = await anchorsBefore(lab.store.pool, undefined, 10)
  const verdict = await fileVerdict(check, anchors.map((one) => `${JSON.stringify(one)}\n`).join(''))
  assert.ok(
    verdict.kind === 'anchors' && verdict.wrong === undefined,
    JSON.stringify(verdict, (_, value) => String(value)),
  )
  const [proved] = verdict.proved
  assert.equal(proved?.head.n, 2)
  assert.equal(proved.from, addressOf(lab.signing.custody.anchor))
  const found = await lab.anvil.client.getTransaction({ hash: proved.txid as `0x${string}` })
  assert.equal(found.blockHash, proved.block?.hash)
  assert.deepEqual([found.value, found.to], [0n, proved.from])
  const [times] = await anchorTimes(lab.store.pool)
  assert.ok(times?.at !== undefined && times.since <= Date.now())
})

test('PROOF-ANCHOR-005: killed at any step, an anchor goes on with one nonce and one head, and is sent', async () => {
  await using lab = await openLab()
  for (const step of anchorSteps.filter((each) => each !== 'proved' && each !== 'settled')) {
    const ending = maker(lab, {
      onStep: (now) => {
        if (now === step) throw new Ended()
      },
    })
    await ending.pass().catch((cause: unknown) => assert.ok(cause instanceof Ended, String(cause)))
    await lab.signing.again()
  }
  await settle(lab, () => maker(lab))
  assert.deepEqual(await rows(lab.store.pool), [{ day: dayOf(Date.now()), head: 1, state: 'settled', nonce: 0, trouble: null }])
  assert.equal(await sent(lab), 1)
})

test('PROOF-ANCHOR-006: a reorganization that drops the transaction sends it again; it counts only in a final block', async () => {
  await using lab = await openLab()
  await maker(lab).pass()
  await lab.anvil.mine(2)
  assert.equal(await sent(lab), 1)
  await maker(lab).pass()
  assert.equal((await anchorsBefore(lab.store.pool, undefined, 1))[0]?.block, null)
  await lab.anvil.reorg(3)
  assert.equal(await sent(lab), 0)
  assert.equal((await rows(lab.store.pool))[0]?.state, 'signed')
  await settle(lab, () => maker(lab))
  assert.equal(await sent(lab), 1)
  assert.notEqual((await anchorsBefore(lab.store.pool, undefined, 1))[0]?.block, null)
})

test('PROOF-ANCHOR-007: two makers at once write one anchor', async () => {
  await using lab = await openLab()
  for (let round = 0; round < 30; round++) {
    await Promise.all([maker(lab).pass(), maker(lab).pass(), maker(lab).pass()])
    await lab.anvil.mine(1)
  }
  const all = await rows(lab.store.pool)
  assert.deepEqual([all.length, all[0]?.state], [1, 'settled'])
  assert.equal(await sent(lab), 1)
})

test('PROOF-ANCHOR-008: one that no block takes is replaced under its nonce with a higher fee', async () => {
  await using lab = await openLab()
  await maker(lab).pass()
  // The base fee rises above what it offers.
  await lab.anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 40_000_000_000n })
  await lab.anvil.mine(1)
  assert.equal(await sent(lab), 0)
  await maker(lab, {}, 0).pass()
  const { rows: attempts } = await lab.store.pool.query<{ n: number }>('select n from anchor_attempts where raw is not null')
  assert.equal(attempts.length, 2)
  await settle(lab, () => maker(lab))
  assert.equal(await sent(lab), 1)
})

test('PROOF-ANCHOR-009: a day for which the signer signs nothing stays without an anchor, and the next one has its own', async () => {
  await using lab = await openLab()
  const yesterday = dayOf(Date.now() - 86_400_000)
  await lab.store.pool.query(`insert into anchors (network, day, head, state, made_at) values ('ethereum', $1, 1, 'planned', 0)`, [
    yesterday,
  ])
  await maker(lab).pass()
  assert.deepEqual((await rows(lab.store.pool))[0], { day: yesterday, head: 1, state: 'void', nonce: null, trouble: 'DAY_WRONG' })
  await settle(lab, () => maker(lab))
  assert.equal(await sent(lab), 1)
})
