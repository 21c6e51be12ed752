import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { installIn } from '../../../tools/npm.ts'
import type { Intent } from '../ports.ts'
import { addressOfKey, checked } from '../signer/chain-signer.ts'
import { fromBase58, toBase58, toHex20 } from './address.ts'
import { assembleTron, buildTron, decodeTron, type TronSlot } from './build.ts'

const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const key = secp256k1.utils.randomSecretKey()
const publicKey = secp256k1.getPublicKey(key, false)
const from = addressOfKey('tron', publicKey)

/** A generator of numbers from a seed, so that a failure can be repeated. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function hex(next: (below: number) => number, bytes: number): string {
  return Array.from({ length: bytes }, () => next(256).toString(16).padStart(2, '0')).join('')
}

function randomTransfer(next: (below: number) => number): { intent: Intent; slot: TronSlot } {
  const to = toBase58(Buffer.from(`41${hex(next, 20)}`, 'hex'))
  const isNative = next(3) === 0
  const value = BigInt(next(2 ** 31)) * BigInt(1 + next(1_000)) + 1n
  const at = 1_700_000_000_000 + next(2 ** 31)
  return {
    intent: { ...{ withdrawal: 1, network: 'tron', chainId: 1, to, value }, ...(isNative ? {} : { contract: usdt }) },
    slot: {
      ...{ kind: 'tron', refBytes: hex(next, 2), refHash: hex(next, 8), timestamp: at, expiration: at + 60_000 },
      feeLimit: 1 + next(2 ** 31),
    },
  }
}

type Built = { readonly raw_data_hex: string; readonly txID: string; readonly raw_data: object; readonly signature?: readonly string[] }
type Tron = {
  readonly transactionBuilder: {
    sendTrx(to: string, amount: number, from: string, options: object): Promise<Built>
    triggerSmartContract(
      contract: string,
      selector: string,
      options: object,
      parameters: object[],
      from: string,
    ): Promise<{ readonly transaction: Built }>
  }
  readonly trx: { sign(transaction: Built, key: string): Promise<Built> }
}

/** The common client library of TRON, as a second opinion. */
function tronWeb(): Tron {
  const heavy = join(import.meta.dirname, '../../../tools/heavy')
  installIn(heavy, 'a client library of TRON for the tests')
  const { TronWeb } = createRequire(join(heavy, 'package.json'))('tronweb') as { TronWeb: new (options: object) => Tron }
  return new TronWeb({ fullHost: 'http://127.0.0.1:9' })
}

async function theirs(tron: Tron, { intent, slot }: ReturnType<typeof randomTransfer>): Promise<Built> {
  const blockHeader = {
    ref_block_bytes: slot.refBytes,
    ref_block_hash: slot.refHash,
    timestamp: slot.timestamp,
    expiration: slot.expiration,
  }
  if (intent.contract === undefined) return tron.transactionBuilder.sendTrx(intent.to, Number(intent.value), from, { blockHeader })
  const parameters = [
    { type: 'address', value: intent.to },
    { type: 'uint256', value: intent.value.toString() },
  ]
  const options = { txLocal: true, feeLimit: slot.feeLimit, blockHeader }
  return (await tron.transactionBuilder.triggerSmartContract(intent.contract, 'transfer(address,uint256)', options, parameters, from))
    .transaction
}

test('SIGNER-TRON-001: a thousand random payments on TRON are, byte for byte, those of tronweb, and so are their signatures', async () => {
  const tron = tronWeb()
  const next = numbersFrom(20_260_101)
  for (let i = 0; i < 1_000; i++) {
    const transfer = randomTransfer(next)
    const other = await theirs(tron, transfer)
    const unsigned = buildTron(transfer.intent, transfer.slot, from)
    assert.equal(Buffer.from(unsigned.bytes).toString('hex'), other.raw_data_hex)
    const { r, s } = secp256k1.Signature.fromBytes(secp256k1.sign(unsigned.digest, key, { prehash: false }), 'compact')
    const { raw, txid } = assembleTron(unsigned, checked(unsigned.digest, { r, s }, publicKey))
    assert.equal(txid, other.txID)
    const { signature = [] } = await tron.trx.sign(other, Buffer.from(key).toString('hex'))
    assert.ok(raw.endsWith(signature[0]?.toLowerCase() as string))
  }
})

test('SIGNER-TRON-002: a payment on TRON is decoded to what was asked for, and anything but one plain transfer is refused', () => {
  const next = numbersFrom(7)
  for (let i = 0; i < 200; i++) {
    const { intent, slot } = randomTransfer(next)
    const { bytes } = buildTron(intent, slot, from)
    const { kind: _, ...rest } = slot
    const { to, value, contract } = intent
    const feeLimit = contract === undefined ? 0 : slot.feeLimit
    assert.deepEqual(decodeTron(bytes), { from, to, value, ...(contract === undefined ? {} : { contract }), ...rest, feeLimit })
    // A changed byte gives another payment that is written as canonically, or none.
    const at = next(bytes.length)
    const bent = bytes.map((byte, j) => (j === at ? byte ^ (1 << next(8)) : byte))
    assert.notDeepEqual(
      attempt(() => decodeTron(bent)),
      decodeTron(bytes),
    )
    assert.throws(() => decodeTron(Buffer.concat([bytes, Buffer.from('5a00', 'hex')])))
    assert.throws(() => decodeTron(bytes.subarray(0, -1)))
  }
})

test('SIGNER-TRON-003: only addresses in base58 with a right checksum are addresses of TRON', () => {
  assert.equal(toHex20(usdt), '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c')
  assert.equal(toBase58(fromBase58(usdt)), usdt)
  const bad = [
    '',
    '41a614f803b6fd780986a42c78ec9c7f77e6ded13c',
    '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c',
    `${usdt} `,
    usdt.toLowerCase(),
  ]
  for (const text of [...bad, `${usdt.slice(0, -1)}u`, `1${usdt.slice(1)}`, `${usdt}t`]) assert.throws(() => fromBase58(text), text)
})

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
