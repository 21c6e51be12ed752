import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { parseTransaction, serializeTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { decodeFlush, flushData } from '../../evm/flush.ts'
import { decodeTron } from '../../tron/build.ts'
import { TronAddresses } from '../../tron/deposit-addresses.ts'
import { Fields } from '../../tron/proto.ts'
import { addressOfKey } from '../chain-signer.ts'
import type { Reason } from '../reasons.ts'
import type { Signer } from '../signer.ts'
import type { RequestJson } from '../wire.ts'
import { ask, Custody, customer, evmSlot, factory, kill, openLink, sinkTron, startProcess, statusOf, usdt, usdtTron } from './custody.ts'

type SweepJson = Extract<RequestJson, { kind: 'sweep' }>
type FuelJson = Extract<RequestJson, { kind: 'fuel' }>
type JobJson = SweepJson | FuelJson

const gwei = 1_000_000_000n
const flush = (change: Partial<SweepJson> = {}): SweepJson => ({
  ...{ kind: 'sweep', job: 1, network: 'ethereum', contract: usdt, places: [1, 2, 77], slot: evmSlot(0), ...change },
})
const collect = (custody: Custody, change: Partial<SweepJson> = {}): SweepJson => ({
  ...{ kind: 'sweep', job: 1, network: 'tron', contract: usdtTron, places: [5], value: '7000000', slot: custody.tronSlot(), ...change },
})
const fuel = (custody: Custody, change: Partial<FuelJson> = {}): FuelJson => ({
  ...{ kind: 'fuel', job: 1, network: 'tron', place: 5, value: '30000000', slot: custody.tronSlot({ feeLimit: 0 }), ...change },
})

async function signed(signer: Signer, request: JobJson): Promise<{ readonly raw: string; readonly txid: string }> {
  const answer = await ask(signer, request)
  assert.ok(answer.ok && 'signed' in answer, JSON.stringify(answer))
  return answer.signed
}

async function refused(signer: Signer, request: JobJson, reason: Reason, what: string = reason): Promise<void> {
  const before = await statusOf(signer)
  assert.deepEqual(await ask(signer, request), { ok: false, reason }, what)
  assert.deepEqual(await statusOf(signer), before, what)
}

/** What a signed transaction of TRON does, and which address signed it. */
function tronOf(raw: string) {
  const fields = new Fields(Buffer.from(raw, 'hex'))
  const bytes = fields.bytes(1)
  const [r, v] = [fields.bytes(2).subarray(0, 64), fields.bytes(2)[64] ?? 0]
  const key = secp256k1.Signature.fromBytes(r, 'compact')
    .addRecoveryBit(v >= 27 ? v - 27 : v)
    .recoverPublicKey(createHash('sha256').update(bytes).digest())
  return { ...decodeTron(bytes), signer: addressOfKey('tron', key.toBytes(false)) }
}

test('SIGNER-SWEEP-001: a sweep calls the factory of the policy with the places, signed by the gas key byte for byte as viem signs it', async () => {
  using custody = new Custody()
  await custody.seal()
  const { child } = await startProcess(custody)
  try {
    using link = await openLink(custody)
    const { seq, head } = await link.status()
    const { kind: _, ...beat } = custody.heartbeat({ at: Date.now(), isMatch: true, seq, head }) as Extract<
      RequestJson,
      { kind: 'heartbeat' }
    >
    await link.beat(beat)
    const account = privateKeyToAccount(`0x${Buffer.from(custody.gasKeys.ethereum).toString('hex')}`)
    for (const [place, contract] of [
      [0, usdt],
      [1, undefined],
    ] as const) {
      const request = flush({ job: place + 1, slot: evmSlot(place) })
      const { kind: _kind, contract: _contract, ...about } = request
      const sweep = { ...about, ...(contract === undefined ? {} : { contract }) }
      const { raw } = await link.sweep(sweep)
      const data = flushData({ places: [1, 2, 77], ...(contract === undefined ? {} : { contract }) })
      const fees = { gas: 90_000n, maxFeePerGas: 30n * gwei, maxPriorityFeePerGas: 3n * gwei }
      assert.equal(raw, await account.signTransaction({ type: 'eip1559', chainId: 1, nonce: place, to: factory, value: 0n, data, ...fees }))
      const { r: _r, s: _s, yParity: _y, v: _v, ...unsigned } = parseTransaction(raw as `0x02${string}`)
      const decoded = decodeFlush(Buffer.from(serializeTransaction({ ...unsigned, type: 'eip1559' }).slice(2), 'hex'))
      assert.deepEqual([decoded.factory, decoded.contract, decoded.places], [factory, contract, [1, 2, 77]])
    }
  } finally {
    await kill(child)
  }
})

test('SIGNER-SWEEP-002: on TRON a deposit address pays a token or TRX to the sink of the policy, signed by the key of its place', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  const address = new TronAddresses(custody.deposits.publicExtendedKey).at(5)
  const { contract: _, ...coins } = collect(custody, { job: 2 })
  for (const [request, token] of [
    [collect(custody), usdtTron],
    [coins, undefined],
  ] as const) {
    const { signer: by, from, to, contract, value } = tronOf((await signed(signer, request)).raw)
    assert.deepEqual({ by, from, to, contract, value }, { by: address, from: address, to: sinkTron, contract: token, value: 7_000_000n })
  }
})

test('SIGNER-SWEEP-003: what is not exactly a sweep of the policy is refused, and nothing is written', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  const many = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
  const unreadable: readonly [string, object][] = [
    ['another recipient', { to: customer }],
    ['own bytes', { data: '0x00' }],
    ['another factory', { factory: customer }],
    ['no place', { places: [] }],
    ['a place twice', { places: [3, 3] }],
    ['more than fifty places', { places: many(51) }],
    ['a place below one', { places: [0] }],
    ['a value of zero', { value: '0' }],
  ]
  for (const [what, change] of unreadable) {
    const before = await statusOf(signer)
    await assert.rejects(async () => ask(signer, { ...flush(), ...change } as SweepJson), what)
    await assert.rejects(async () => ask(signer, { ...collect(custody), ...change } as SweepJson), what)
    assert.deepEqual(await statusOf(signer), before)
  }
  const { value: _, ...noValue } = collect(custody)
  const cases: readonly [string, JobJson, Reason][] = [
    ['an unknown network', flush({ network: 'polygon' }), 'NETWORK_UNKNOWN'],
    ['a token of nobody', flush({ contract: customer }), 'CONTRACT_UNKNOWN'],
    ['a token of another network', flush({ contract: usdtTron }), 'CONTRACT_UNKNOWN'],
    ['a token with a wrong checksum', flush({ contract: '0xDac17f958d2ee523a2206206994597c13d831ec7' }), 'CONTRACT_UNKNOWN'],
    ['a value on Ethereum', flush({ value: '5' }), 'SWEEP_WRONG'],
    ['a slot of TRON', flush({ slot: custody.tronSlot() }), 'SLOT_WRONG'],
    ['a slot of Ethereum', collect(custody, { slot: evmSlot(0) }), 'SLOT_WRONG'],
    ['two places on TRON', collect(custody, { places: [5, 6] }), 'SWEEP_WRONG'],
    ['no value on TRON', noValue, 'SWEEP_WRONG'],
    ['a token that the policy does not list', collect(custody, { contract: sinkTron }), 'CONTRACT_UNKNOWN'],
    ['a tip above the fee', flush({ slot: { ...evmSlot(0), maxTip: `${31n * gwei}` } as SweepJson['slot'] }), 'SWEEP_WRONG'],
    ['fuel on Ethereum', fuel(custody, { network: 'ethereum', slot: evmSlot(0) }), 'NO_ADDRESSES'],
    ['an end in two hours', collect(custody, { slot: custody.tronSlot({ expiration: custody.now + 7_200_000 }) }), 'EXPIRATION'],
  ]
  for (const [what, request, reason] of cases) await refused(signer, request, reason, what)
  await signed(signer, flush({ places: many(50) }))
  await signed(signer, collect(custody, { job: 2 }))
  await refused(signer, flush(), 'JOB_CHANGED', 'other places under a known number')
  await refused(signer, collect(custody, { job: 2, value: '7000001' }), 'JOB_CHANGED', 'another value under a known number')
})

test('SIGNER-SWEEP-004: a sweep keeps its nonce for ever, apart from those of payments; a replacement offers 12.5 % more', async () => {
  using custody = new Custody()
  let signer = await custody.ready()
  const first = await signed(signer, flush({ slot: evmSlot(4) }))
  const checks = async (): Promise<void> => {
    assert.deepEqual(await signed(signer, flush({ slot: evmSlot(4) })), first)
    for (const nonce of [0, 3, 5]) await refused(signer, flush({ slot: evmSlot(nonce) }), 'NONCE_BOUND')
    await refused(signer, flush({ job: 2, slot: evmSlot(4) }), 'NONCE_TAKEN')
    await refused(signer, flush({ job: 2, slot: evmSlot(6) }), 'NONCE_GAP')
    await refused(signer, flush({ slot: evmSlot(4, 33n * gwei) }), 'BUMP_TOO_SMALL')
  }
  await checks()
  signer[Symbol.dispose]()
  signer = custody.signer()
  await custody.beat(signer)
  await checks()
  await signed(signer, flush({ slot: evmSlot(4, 34n * gwei) }))
  await signed(signer, flush({ job: 2, slot: evmSlot(5) }))
  // The address that pays withdrawals counts by itself.
  assert.equal((await ask(signer, custody.request())).ok, true)
  signer[Symbol.dispose]()
})

test('SIGNER-SWEEP-005: what a sweep may cost has caps of its own, of a transaction and of a day', async () => {
  using custody = new Custody((policy) =>
    Object.assign(policy.networks[0] ?? {}, { sweepFeeMax: '2700000000000000', sweepFeeDay: '5400000000000000' }),
  )
  using signer = await custody.ready()
  await refused(signer, flush({ slot: evmSlot(0, 30n * gwei + 1n) }), 'FEE_TOO_HIGH')
  await signed(signer, flush())
  await signed(signer, flush({ job: 2, slot: evmSlot(1) }))
  await refused(signer, flush({ job: 3, slot: evmSlot(2) }), 'CAP_FEES')
  assert.equal((await ask(signer, custody.request())).ok, true)
  custody.now += 86_400_001
  await custody.beat(signer)
  await signed(signer, flush({ job: 3, slot: evmSlot(2) }))
  await refused(signer, collect(custody, { job: 4, slot: custody.tronSlot({ feeLimit: 50_000_001 }) }), 'FEE_TOO_HIGH')
})

test('SIGNER-SWEEP-006: nothing is swept or fuelled while books and chain differ, or nobody says that they match', async () => {
  using custody = new Custody()
  using signer = await custody.ready()
  const first = await signed(signer, flush())
  custody.now += 600_000
  const all = () => [flush({ job: 2, slot: evmSlot(1) }), collect(custody, { job: 3 }), fuel(custody, { job: 4 })]
  for (const request of all()) await refused(signer, request, 'HEARTBEAT_STALE')
  await custody.beat(signer, false)
  for (const request of all()) await refused(signer, request, 'BOOKS_DIFFER')
  assert.deepEqual(await signed(signer, flush()), first)
  custody.now += 1
  await custody.beat(signer)
  for (const request of all()) await signed(signer, request)
})

test('SIGNER-SWEEP-007: on TRON a sweep has one transaction, and an address has one sweep of a token at a time', async () => {
  using custody = new Custody()
  let signer = await custody.ready()
  const request = collect(custody)
  const first = await signed(signer, request)
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(await signed(signer, request), first)
    await refused(signer, collect(custody, { slot: custody.tronSlot({ timestamp: custody.now + 1 }) }), 'JOB_CHANGED')
    await refused(signer, collect(custody, { job: 2 }), 'NOT_DEAD')
    signer[Symbol.dispose]()
    signer = custody.signer()
    await custody.beat(signer)
    custody.now += 1
  }
  await signed(signer, collect(custody, { job: 3, places: [6] }))
  custody.now += 180_001
  await signed(signer, collect(custody, { job: 4 }))
  signer[Symbol.dispose]()
})

test('SIGNER-FUEL-001: fuel goes from the gas address to a deposit address, within the caps of an address and of a day', async () => {
  using custody = new Custody((policy) => Object.assign(policy.networks[1] ?? {}, { fuelMax: '30000000', fuelDay: '60000000' }))
  using signer = await custody.ready()
  await assert.rejects(async () => ask(signer, { ...fuel(custody), to: sinkTron } as FuelJson))
  await refused(signer, fuel(custody, { value: '30000001' }), 'CAP_FUEL')
  const { raw } = await signed(signer, fuel(custody))
  const { signer: by, from, to, contract, value } = tronOf(raw)
  const address = new TronAddresses(custody.deposits.publicExtendedKey).at(5)
  assert.deepEqual({ by, from, to, value }, { by: custody.gas('tron'), from: custody.gas('tron'), to: address, value: 30_000_000n })
  assert.equal(contract, undefined)
  await refused(signer, fuel(custody, { job: 2 }), 'NOT_DEAD')
  await signed(signer, fuel(custody, { job: 2, place: 6 }))
  await refused(signer, fuel(custody, { job: 3, place: 7, value: '1' }), 'CAP_FUEL')
  custody.now += 86_400_001
  await custody.beat(signer)
  await signed(signer, fuel(custody, { job: 3 }))
})
