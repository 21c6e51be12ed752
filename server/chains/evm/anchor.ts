/** The transaction that carries a head of the journal: to its own sender, without a value. Decoded again after it is built, as payments are. */
import { anchorData, readAnchorData } from '@candor/core/proof/chain/anchor.ts'
import { type Hex, keccak256, parseTransaction, serializeTransaction } from 'viem'
import type { Unsigned } from '../unsigned.ts'
import { addressOf, type EvmSlot } from './build.ts'

export type EvmAnchor = {
  readonly chainId: number
  /** Sender and recipient. */
  readonly from: string
  readonly head: { readonly n: number; readonly hash: string }
}

/** throws  Error when no such transaction can be made */
export function buildAnchor({ chainId, from, head }: EvmAnchor, { nonce, gas, maxFee, maxTip }: EvmSlot): Unsigned {
  if (maxTip > maxFee) throw new Error('The tip is above the whole fee')
  const to = addressOf(from)
  const fees = { gas, maxFeePerGas: maxFee, maxPriorityFeePerGas: maxTip }
  const hex = serializeTransaction({ type: 'eip1559', chainId, nonce, ...fees, to, value: 0n, data: anchorData(head) as Hex })
  const tx = parseTransaction(hex as `0x02${string}`)
  const read = readAnchorData(tx.data ?? '0x')
  const isSame =
    tx.to?.toLowerCase() === to && (tx.value ?? 0n) === 0n && tx.chainId === chainId && read?.n === head.n && read.hash === head.hash
  if (!isSame || (tx.nonce ?? 0) !== nonce || tx.gas !== gas || tx.maxFeePerGas !== maxFee || (tx.maxPriorityFeePerGas ?? 0n) !== maxTip)
    throw new Error('The transaction differs from its anchor')
  const bytes = new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
  return { bytes, digest: new Uint8Array(Buffer.from(keccak256(bytes).slice(2), 'hex')) }
}
