/** Faults of a node, armed by tests: each hits the next requests that it fits, and is then over. */
import type { BroadcastCode } from '../chain/refusal.ts'

export const faultKinds = ['drop-answer', 'lose', 'peers', 'busy', 'duplicate', 'rate-limit', 'unavailable', 'garbage'] as const

/**
 * drop-answer   the request is carried out, and the connection ends without an answer
 * lose          a transaction is accepted and forgotten
 * peers         a transaction is accepted, and the answer says NOT_ENOUGH_EFFECTIVE_CONNECTION
 * busy          a transaction is refused as SERVER_BUSY
 * duplicate     a transaction is refused as DUP_TRANSACTION_ERROR, though it is nowhere
 * rate-limit    HTTP 200 with `{"Error": …}`, on `/jsonrpc` too
 * unavailable   the connection ends before anything is carried out
 * garbage       HTTP 502 with a page of a proxy
 */
export type FaultKind = (typeof faultKinds)[number]

export type Fault = {
  readonly kind: FaultKind
  /** How many requests it hits; 1 if absent. */
  readonly count?: number
  /** Beginning of the paths that it hits; all if absent. Those that concern transactions hit only the broadcast of one. */
  readonly path?: string
}

const ofBroadcasts: readonly FaultKind[] = ['lose', 'peers', 'busy', 'duplicate']
const broadcast = '/wallet/broadcast'

export class Faults {
  #armed: { kind: FaultKind; left: number; path: string }[] = []
  #unindexed: readonly (readonly [from: number, to: number])[] = []

  arm({ kind, count = 1, path }: Fault): void {
    if (!faultKinds.includes(kind)) throw new Error(`${String(kind)} is no fault`)
    this.#armed.push({ kind, left: count, path: path ?? (ofBroadcasts.includes(kind) ? broadcast : '/') })
  }

  clear(): void {
    this.#armed = []
    this.#unindexed = []
  }

  /** Logs of these blocks are missing in `eth_getLogs`, as of blocks that a node processed while its JSON-RPC was off. */
  hideLogs(from: number, to: number): void {
    this.#unindexed = [...this.#unindexed, [from, to]]
  }

  hidesLogs(block: number): boolean {
    return this.#unindexed.some(([from, to]) => block >= from && block <= to)
  }

  /** The fault that hits this request, which is thereby used up. */
  take(path: string): FaultKind | undefined {
    const found = this.#armed.find((fault) => path.startsWith(fault.path))
    if (found === undefined) return undefined
    found.left--
    if (found.left <= 0) this.#armed = this.#armed.filter((fault) => fault !== found)
    return found.kind
  }
}

/** What a broadcast answers under a fault, and whether the transaction is taken. */
export const broadcastFaults: Readonly<
  Partial<Record<FaultKind, { readonly isTaken: boolean; readonly code?: BroadcastCode; readonly text: string }>>
> = {
  lose: { isTaken: true, text: '' },
  peers: { isTaken: true, code: 'NOT_ENOUGH_EFFECTIVE_CONNECTION', text: 'P2P broadcast failed.' },
  busy: { isTaken: false, code: 'SERVER_BUSY', text: 'Server busy.' },
  duplicate: { isTaken: false, code: 'DUP_TRANSACTION_ERROR', text: 'Transaction already exists.' },
}
