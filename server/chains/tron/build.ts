/**
 * Payments on TRON: an unsigned transaction that transfers a TRC20 token or TRX, and nothing else. The encoding of the few messages is
 * written out here, so that the signer needs no client library. Each is decoded again after it is built.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import type { Intent, Signed, Slot } from '../ports.ts'
import type { Signature, Unsigned } from '../unsigned.ts'
import { fromBase58, toBase58 } from './address.ts'
import { Fields, field, number } from './proto.ts'

export type TronSlot = Extract<Slot, { kind: 'tron' }>
/** What an unsigned transaction does. */
export type TronPayment = Pick<Intent, 'contract' | 'to' | 'value'> & Omit<TronSlot, 'kind'> & { readonly from: string }

const transferType = 1
const triggerType = 31
const typeUrl = (name: string): Uint8Array => Buffer.from(`type.googleapis.com/protocol.${name}`)
const urls = { [transferType]: typeUrl('TransferContract'), [triggerType]: typeUrl('TriggerSmartContract') }
/** First four bytes of the hash of `transfer(address,uint256)`. */
const transferSelector = Buffer.from('a9059cbb', 'hex')
const wordMax = 1n << 256n
const int64Max = 1n << 63n

/** `from`: the address that pays. throws  Error when the intent or the slot can't be such a transaction */
export function buildTron(intent: Intent, slot: TronSlot, from: string): Unsigned {
  if (intent.value <= 0n) throw new Error('A payment has a value above zero')
  const native = intent.contract === undefined
  const bytes = rawData(slot, native ? transferType : triggerType, native ? transfer(from, intent) : trigger(from, intent, intent.contract))
  const decoded = decodeTron(bytes)
  const wanted: TronPayment = {
    ...{ from, to: intent.to, value: intent.value, ...(native ? {} : { contract: intent.contract }) },
    ...{ refBytes: slot.refBytes, refHash: slot.refHash, timestamp: slot.timestamp, expiration: slot.expiration },
    feeLimit: native ? 0 : slot.feeLimit,
  }
  for (const name of ['from', 'contract', 'to', 'value', 'refBytes', 'refHash', 'timestamp', 'expiration', 'feeLimit'] as const) {
    if (decoded[name] !== wanted[name]) throw new Error(`The transaction differs from its intent: ${name}`)
  }
  return { bytes, digest: sha256(bytes) }
}

function rawData(slot: TronSlot, type: typeof transferType | typeof triggerType, parameter: Uint8Array): Uint8Array {
  const contract = Buffer.concat([number(1, type), field(2, Buffer.concat([field(1, urls[type]), field(2, parameter)]))])
  return new Uint8Array(
    Buffer.concat([
      field(1, hexOf(slot.refBytes, 2)),
      field(4, hexOf(slot.refHash, 8)),
      number(8, slot.expiration),
      field(11, contract),
      number(14, slot.timestamp),
      // Only contracts use energy: a transfer of TRX has no such limit.
      number(18, type === triggerType ? slot.feeLimit : 0),
    ]),
  )
}

function transfer(from: string, { to, value }: Intent): Uint8Array {
  if (value >= int64Max) throw new Error('More TRX than there can be')
  return Buffer.concat([field(1, fromBase58(from)), field(2, fromBase58(to)), number(3, value)])
}

function trigger(from: string, { to, value }: Intent, contract: string): Uint8Array {
  if (value >= wordMax) throw new Error('More than a token can have')
  const word = (hex: string): Buffer => Buffer.from(hex.padStart(64, '0'), 'hex')
  const account = Buffer.from(fromBase58(to).subarray(1)).toString('hex')
  const data = Buffer.concat([transferSelector, word(account), word(value.toString(16))])
  return Buffer.concat([field(1, fromBase58(from)), field(2, fromBase58(contract)), field(4, data)])
}

/**
 * What an unsigned transaction does.
 *
 * throws  Error when it is anything but one plain transfer, or is not written in the one canonical way
 */
export function decodeTron(bytes: Uint8Array): TronPayment {
  const raw = new Fields(bytes)
  const slot = {
    ...{ refBytes: raw.bytes(1).toString('hex'), refHash: raw.bytes(4).toString('hex'), expiration: Number(raw.number(8)) },
    ...{ timestamp: Number(raw.number(14)), feeLimit: Number(raw.number(18)) },
  }
  const contract = new Fields(raw.bytes(11))
  const type = Number(contract.number(1))
  if (type !== transferType && type !== triggerType) throw new Error('Not a transfer')
  const any = new Fields(contract.bytes(2))
  if (!any.bytes(1).equals(urls[type])) throw new Error('The type of the contract contradicts its name')
  const inner = new Fields(any.bytes(2))
  const from = toBase58(inner.bytes(1))
  const payment = type === transferType ? transferOf(inner) : triggerOf(inner)
  const found: TronPayment = { ...slot, from, ...payment }
  const { kind, ...intent } = { kind: 'tron' as const, withdrawal: 0, network: '', chainId: 0, ...payment }
  const again = rawData(
    { kind, ...slot },
    type,
    type === transferType ? transfer(from, intent) : trigger(from, intent, payment.contract ?? ''),
  )
  if (!Buffer.from(again).equals(bytes)) throw new Error('The transaction is not written canonically')
  return found
}

function transferOf(inner: Fields): Pick<TronPayment, 'contract' | 'to' | 'value'> {
  return { to: toBase58(inner.bytes(2)), value: inner.number(3) }
}

function triggerOf(inner: Fields): Pick<TronPayment, 'contract' | 'to' | 'value'> {
  const data = inner.bytes(4)
  if (data.length !== 68 || !data.subarray(0, 4).equals(transferSelector)) throw new Error('Not a plain transfer of a token')
  if (data.subarray(4, 16).some((byte) => byte !== 0)) throw new Error('Not a plain transfer of a token')
  const to = toBase58(Buffer.concat([Buffer.of(0x41), data.subarray(16, 36)]))
  return { contract: toBase58(inner.bytes(2)), to, value: BigInt(`0x${data.subarray(36).toString('hex')}`) }
}

/** The signed transaction: its bytes as hex as `/wallet/broadcasthex` takes them, and its number, which is known before it is signed. */
export function assembleTron({ bytes, digest }: Unsigned, { r, s, recovery }: Signature): Signed {
  const word = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
  const signature = Buffer.concat([word(r), word(s), Buffer.of(27 + recovery)])
  const raw = Buffer.concat([field(1, bytes), field(2, signature)]).toString('hex')
  return { raw, txid: Buffer.from(digest).toString('hex') }
}

function hexOf(hex: string, length: number): Buffer {
  const bytes = Buffer.from(hex, 'hex')
  if (bytes.length !== length || bytes.toString('hex') !== hex) throw new Error('Not a reference to a block')
  return bytes
}
