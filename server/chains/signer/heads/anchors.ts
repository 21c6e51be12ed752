/**
 * Anchors: the newest head of the journal in the data of a transaction, once a day. It goes from an address of its own to the same one,
 * without a value. So all that somebody who asks for it can take is the fee, which has a cap.
 */
import { dayOf } from '@candor/core/proof/chain/possession.ts'
import { buildAnchor, type EvmAnchor } from '../../evm/anchor.ts'
import type { NetworkKind, Signed } from '../../ports.ts'
import type { Unsigned } from '../../unsigned.ts'
import type { ChainSigner } from '../chain-signer.ts'
import { anchorLine, dayMs, type Entry, isSameSlot, type Memory, slotJson } from '../memory.ts'
import type { Policy } from '../policy.ts'
import { SignerRefused } from '../reasons.ts'
import { feeOfNonce } from '../slots.ts'
import type { UsedKey } from '../sweeps.ts'
import type { AnchorRequest } from '../wire.ts'

export type AnchorParts = {
  readonly policy: Policy
  readonly memory: Memory
  /** By name of the network. */
  readonly keys: ReadonlyMap<string, ChainSigner>
  readonly write: (entry: Entry) => void
  readonly use: (key: ChainSigner | undefined, name: string, kind: NetworkKind, unsigned: Unsigned) => Promise<UsedKey>
}

export class Anchors {
  readonly #parts: AnchorParts

  constructor(parts: AnchorParts) {
    this.#parts = parts
  }

  /**
   * Signs the anchor of a day; the same request gives the same transaction again. That of an earlier day only again, or with a higher fee
   * under its own nonce.
   *
   * throws  SignerRefused
   */
  async sign({ network: name, day, head, slot }: AnchorRequest, now: number): Promise<Signed> {
    const { policy, memory, keys, write, use } = this.#parts
    const network = policy.networks.find((each) => each.name === name)
    if (network === undefined) throw new SignerRefused('NETWORK_UNKNOWN')
    const { anchor, chainId } = network
    if (anchor === undefined) throw new SignerRefused('NO_ANCHOR')
    const known = memory.anchorOf(name, day)
    if (known === undefined && day !== dayOf(now)) throw new SignerRefused('DAY_WRONG')
    if (known !== undefined && (known.head !== head.n || known.hash !== head.hash)) throw new SignerRefused('DAY_TAKEN')
    const again = known?.attempts.find((attempt) => isSameSlot(attempt.slot, slotJson(slot)))
    if (again?.signed !== undefined) return again.signed
    const line = anchorLine(name)
    const unsigned = built({ chainId, from: anchor.from, head }, slot)
    if (again === undefined) {
      const nonces = memory.nonces(line, anchor.firstNonce)
      const more = feeOfNonce(slot, known?.attempts.at(-1)?.slot, nonces, anchor.feeMax)
      if (memory.fees(now - dayMs, line) + more > anchor.feeDay) throw new SignerRefused('CAP_FEES')
      write({ kind: 'anchor', network: name, day, head: head.n, hash: head.hash, slot: slotJson(slot), fee: more.toString() })
    }
    const signed = await use(keys.get(name), line, 'evm', unsigned)
    write({ kind: 'anchor.signed', network: name, day, ...signed })
    return { raw: signed.raw, txid: signed.txid }
  }
}

function built(anchor: EvmAnchor, slot: AnchorRequest['slot']): Unsigned {
  try {
    return buildAnchor(anchor, slot)
  } catch (cause) {
    throw new SignerRefused('NOT_A_TRANSFER', { cause })
  }
}
