import type { AuditedReader } from '../ports.ts'
import type { DepositRow } from './tables.ts'
import type { DepositToken } from './terms.ts'

/** `wait`: nothing can be said yet. `failed`: it did not happen. `held`: a person must look. */
export type Verdict = { readonly kind: 'good' } | { readonly kind: 'wait' } | { readonly kind: 'failed' | 'held'; readonly why: string }

const good: Verdict = { kind: 'good' }

export type CheckOptions = {
  /** The node that is read, and another one if there is one. */
  readonly nodes: () => { readonly reader: AuditedReader; readonly other: AuditedReader | undefined }
  /** Whether the wallet service has signed that this address is this customer's. */
  readonly isAddressGood: (deposit: DepositRow) => Promise<boolean>
  /** A reason to hold a deposit; undefined: none. */
  readonly screen: (deposit: DepositRow) => Promise<string | undefined>
  /** Whether the contract of a token does what it should; undefined: not known yet. */
  readonly isTokenGood: (contract: string) => boolean | undefined
}

/**
 * Looks at a deposit once more before it is credited. Logs alone prove nothing: the transaction's own result counts. Where members of the
 * staff released a deposit, they have answered the screening, and stand in for a second node that does not exist.
 */
export class Checks {
  readonly #options: CheckOptions

  constructor(options: CheckOptions) {
    this.#options = options
  }

  /**
   * isFinal  whether the deposit's block can't vanish any more: what does not fit now never will
   * throws   NodeFault when a node does not answer
   */
  async verdict(deposit: DepositRow, token: DepositToken, isFinal: boolean): Promise<Verdict> {
    const { nodes, isAddressGood, screen, isTokenGood } = this.#options
    const { reader, other } = nodes()
    const receipt = await reader.receipt(deposit.txid)
    if (receipt === undefined || receipt.blockHash !== deposit.block_hash)
      return isFinal ? { kind: 'held', why: 'no-receipt' } : { kind: 'wait' }
    if (!receipt.isSuccess) return { kind: 'failed', why: 'reverted' }
    if (!(await isAddressGood(deposit))) return { kind: 'held', why: 'address' }
    const isGood = isTokenGood(deposit.contract)
    if (isGood !== true) return isGood === undefined ? { kind: 'wait' } : { kind: 'held', why: 'token' }
    const isReleased = deposit.released_at !== null
    if (token.agreeAbove !== undefined && BigInt(deposit.raw) > BigInt(token.agreeAbove) * token.unit) {
      if (other === undefined && !isReleased) return { kind: 'held', why: 'one-node' }
      const verdict = other === undefined ? good : await agreed(other, deposit, isFinal)
      if (verdict.kind !== 'good') return verdict
    }
    const why = isReleased ? undefined : await screen(deposit)
    return why === undefined ? good : { kind: 'held', why }
  }
}

/** Whether another node tells the same about a deposit. It may not have come as far yet. */
async function agreed(node: AuditedReader, deposit: DepositRow, isFinal: boolean): Promise<Verdict> {
  const block = await node.block(deposit.block_number)
  if (block === undefined) return { kind: 'wait' }
  // One of the two is on another branch. Which one stays is soon known.
  if (block.hash !== deposit.block_hash) return isFinal ? { kind: 'held', why: 'nodes-disagree' } : { kind: 'wait' }
  const receipt = await node.receipt(deposit.txid)
  const transfers = await node.transfers([deposit.contract], { blockHash: block.hash })
  const isThere = transfers.some(
    ({ txid, ordinal, to, value }) =>
      txid === deposit.txid && ordinal === deposit.ordinal && to === deposit.address && String(value) === deposit.raw,
  )
  const isSame = isThere && receipt?.isSuccess === true && receipt.blockHash === deposit.block_hash
  return isSame ? { kind: 'good' } : { kind: 'held', why: 'nodes-disagree' }
}
