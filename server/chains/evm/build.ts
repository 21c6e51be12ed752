/**
 * Payments on networks of the kind `evm`: an unsigned EIP-1559 transaction that transfers a token or the native coin, and nothing else.
 * Each is decoded again after it is built, so that what is signed is what was asked for.
 */
import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  isAddress,
  keccak256,
  parseTransaction,
  serializeTransaction,
} from 'viem'
import type { Intent, Signed, Slot } from '../ports.ts'
import type { Signature, Unsigned } from '../unsigned.ts'

export type EvmSlot = Extract<Slot, { kind: 'evm' }>
/** What an unsigned transaction does. Addresses are in lower case. */
export type EvmPayment = Pick<Intent, 'chainId' | 'contract' | 'to' | 'value'> & Omit<EvmSlot, 'kind'>

/** Without outputs: some tokens return nothing, some `false`; the log of the transfer says what happened. */
const transferAbi = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
    outputs: [],
  },
] as const

/** Nodes replace a waiting transaction only by one that offers at least this much more, in parts of 1,000, on both fields. */
const bumpParts = 1_125n

/** throws  Error when the intent or the slot can't be such a transaction */
export function buildEvm(intent: Intent, slot: EvmSlot): Unsigned {
  const to = addressOf(intent.to)
  const contract = intent.contract === undefined ? undefined : addressOf(intent.contract)
  if (intent.value <= 0n) throw new Error('A payment has a value above zero')
  if (slot.maxTip > slot.maxFee) throw new Error('The tip is above the whole fee')
  const hex = serializeTransaction({
    type: 'eip1559',
    chainId: intent.chainId,
    nonce: slot.nonce,
    gas: slot.gas,
    maxFeePerGas: slot.maxFee,
    maxPriorityFeePerGas: slot.maxTip,
    to: contract ?? to,
    value: contract === undefined ? intent.value : 0n,
    ...(contract === undefined
      ? {}
      : { data: encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args: [to, intent.value] }) }),
  })
  const bytes = fromHex(hex)
  const decoded = decodeEvm(bytes)
  const wanted: EvmPayment = {
    ...{ chainId: intent.chainId, to, value: intent.value, ...(contract === undefined ? {} : { contract }) },
    ...{ nonce: slot.nonce, gas: slot.gas, maxFee: slot.maxFee, maxTip: slot.maxTip },
  }
  for (const name of ['chainId', 'contract', 'to', 'value', 'nonce', 'gas', 'maxFee', 'maxTip'] as const) {
    if (decoded[name] !== wanted[name]) throw new Error(`The transaction differs from its intent: ${name}`)
  }
  return { bytes, digest: fromHex(keccak256(bytes)) }
}

/**
 * What an unsigned transaction does.
 *
 * throws  Error when it is anything but a plain transfer, or is not written in the one canonical way
 */
export function decodeEvm(bytes: Uint8Array): EvmPayment {
  const hex = toHex(bytes)
  const tx = parseTransaction(hex as `0x02${string}`)
  if (tx.type !== 'eip1559' || tx.r !== undefined) throw new Error('Not an unsigned EIP-1559 transaction')
  if (tx.accessList !== undefined && tx.accessList.length > 0) throw new Error('A payment has no access list')
  if (tx.to === undefined || tx.to === null) throw new Error('A payment has a recipient')
  if (serializeTransaction(tx) !== hex) throw new Error('The transaction is not written canonically')
  const slot = { nonce: tx.nonce ?? 0, gas: tx.gas ?? 0n, maxFee: tx.maxFeePerGas ?? 0n, maxTip: tx.maxPriorityFeePerGas ?? 0n }
  const head = { chainId: tx.chainId, ...slot }
  const { data = '0x', value = 0n } = tx
  if (data === '0x') return { ...head, to: addressOf(tx.to), value }
  const {
    args: [to, sum],
  } = decodeFunctionData({ abi: transferAbi, data })
  const again = encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args: [to, sum] })
  if (again !== data || value !== 0n) throw new Error('Not a plain transfer of a token')
  return { ...head, contract: addressOf(tx.to), to: addressOf(to), value: sum }
}

/** The signed transaction: its bytes as hex, and its hash. */
export function assembleEvm({ bytes }: Unsigned, { r, s, recovery }: Signature): Signed {
  const tx = parseTransaction(toHex(bytes) as `0x02${string}`)
  const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
  const raw = serializeTransaction(tx, { r: word(r), s: word(s), yParity: recovery })
  return { raw, txid: keccak256(raw) }
}

/**
 * The fees of a transaction that replaces one with the same nonce: at least 12.5 % above it on both fields, rounded up, and at least
 * what the network asks for now.
 */
export function bumpedFees<T extends Pick<EvmSlot, 'maxFee' | 'maxTip'>>(before: T, now: Pick<EvmSlot, 'maxFee' | 'maxTip'>): T {
  const above = (fee: bigint): bigint => (fee * bumpParts + 999n) / 1_000n
  const most = (a: bigint, b: bigint): bigint => (a > b ? a : b)
  return { ...before, maxFee: most(above(before.maxFee), now.maxFee), maxTip: most(above(before.maxTip), now.maxTip) }
}

/** Whether nodes take `next` for `before`: both fields at least 12.5 % higher. */
export function isBump(before: Pick<EvmSlot, 'maxFee' | 'maxTip'>, next: Pick<EvmSlot, 'maxFee' | 'maxTip'>): boolean {
  return next.maxFee * 1_000n >= before.maxFee * bumpParts && next.maxTip * 1_000n >= before.maxTip * bumpParts
}

/** The address in lower case. throws  Error when it is none, or its checksum is wrong */
export function addressOf(text: string): Address {
  if (!isAddress(text)) throw new Error('Not an address of an EVM network')
  return text.toLowerCase() as Address
}

function fromHex(hex: Hex): Uint8Array {
  return new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
}

function toHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`
}
