import type { AuditedReader, Receipt, TokenTransfer } from '../ports.ts'
import { NodeFault } from '../rpc/json-rpc.ts'
import type { DepositRow } from './tables.ts'
import type { DepositToken } from './terms.ts'

/** `wait`: nothing can be said yet. `failed`: it did not happen. `held`: a person must look. */
export type Verdict = { readonly kind: 'good' } | { readonly kind: 'wait' } | { readonly kind: 'failed' | 'held'; readonly why: string }

/** From so many deposits on in a block its receipts are asked for together. */
const togetherMin = 8

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
 * staff released a deposit, they have answered the screening, and stand in for a second node that does not exist. Where one node calls its
 * transaction failed and the other one does not, they decide which of the two is believed.
 */
export class Checks {
  readonly #options: CheckOptions

  constructor(options: CheckOptions) {
    this.#options = options
  }

  /** The receipts of blocks with many of these deposits, by transaction. What a node does not tell together is asked for one by one. */
  async receipts(deposits: readonly DepositRow[]): Promise<ReadonlyMap<string, Receipt>> {
    const { reader } = this.#options.nodes()
    const found: [string, Receipt][] = []
    for (const [block, { length }] of Map.groupBy(deposits, ({ block_number }) => block_number)) {
      if (length < togetherMin || reader.receipts === undefined) continue
      try {
        found.push(...(await reader.receipts(block)))
      } catch (cause) {
        if (!(cause instanceof NodeFault)) throw cause
      }
    }
    return new Map(found)
  }

  /**
   * receipts  those that are known already
   * isFinal   whether the deposit's block can't vanish any more: what does not fit now never will
   * throws    NodeFault when a node does not answer
   */
  async verdict(
    deposit: DepositRow,
    token: DepositToken,
    isFinal: boolean,
    receipts: ReadonlyMap<string, Receipt> = new Map(),
  ): Promise<Verdict> {
    const { nodes, isAddressGood, screen, isTokenGood } = this.#options
    const { reader, other } = nodes()
    const receipt = receipts.get(deposit.txid) ?? (await reader.receipt(deposit.txid))
    if (receipt === undefined || receipt.blockHash !== deposit.block_hash)
      return isFinal ? { kind: 'held', why: 'no-receipt' } : { kind: 'wait' }
    const isReleased = deposit.released_at !== null
    // A node that calls the transaction failed may lie, or have answered too early: another one is asked once the block is final.
    if (!receipt.isSuccess && !(isFinal && (await isAudited(other ?? reader, deposit)))) return { kind: 'failed', why: 'reverted' }
    if (!receipt.isSuccess && !(isReleased && other !== undefined)) return { kind: 'held', why: 'nodes-disagree' }
    if (!(await isAddressGood(deposit))) return { kind: 'held', why: 'address' }
    const isGood = isTokenGood(deposit.contract)
    if (isGood !== true) return isGood === undefined ? { kind: 'wait' } : { kind: 'held', why: 'token' }
    if (token.agreeAbove !== undefined && BigInt(deposit.raw) > BigInt(token.agreeAbove) * token.unit) {
      if (other === undefined && !isReleased) return { kind: 'held', why: 'one-node' }
      const verdict = other === undefined ? good : await agreed(other, deposit, isFinal)
      if (verdict.kind !== 'good') return verdict
    }
    const why = isReleased ? undefined : await screen(deposit)
    return why === undefined ? good : { kind: 'held', why }
  }
}

/** Whether the results of a final block's transactions have the transfer. */
async function isAudited(node: AuditedReader, deposit: DepositRow): Promise<boolean> {
  const transfers = await node.audit(deposit.block_number)
  return transfers.some((transfer) => transfer.blockHash === deposit.block_hash && isOf(deposit, transfer))
}

function isOf(deposit: DepositRow, { txid, ordinal, to, value }: TokenTransfer): boolean {
  return txid === deposit.txid && ordinal === deposit.ordinal && to === deposit.address && String(value) === deposit.raw
}

/** Whether another node tells the same about a deposit. It may not have come as far yet. */
async function agreed(node: AuditedReader, deposit: DepositRow, isFinal: boolean): Promise<Verdict> {
  const block = await node.block(deposit.block_number)
  if (block === undefined) return { kind: 'wait' }
  // One of the two is on another branch. Which one stays is soon known.
  if (block.hash !== deposit.block_hash) return isFinal ? { kind: 'held', why: 'nodes-disagree' } : { kind: 'wait' }
  const receipt = await node.receipt(deposit.txid)
  const transfers = await node.transfers([deposit.contract], { blockHash: block.hash })
  const isThere = transfers.some((transfer) => isOf(deposit, transfer))
  const isSame = isThere && receipt?.isSuccess === true && receipt.blockHash === deposit.block_hash
  return isSame ? { kind: 'good' } : { kind: 'held', why: 'nodes-disagree' }
}
