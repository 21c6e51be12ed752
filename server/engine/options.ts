import type { Witness } from '../journal/witness.ts'
import type { Store } from '../store/open.ts'
import type { TimeSource } from './sequencer.ts'

export type EngineOptions = {
  readonly store: Store
  readonly time?: TimeSource
  /** Commands that may wait; beyond that they are refused with UNAVAILABLE. */
  readonly inboxMax?: number
  readonly batchMax?: number
  /** When a commit takes longer, callers get STATUS_UNKNOWN instead of waiting. */
  readonly stallMs?: number
  /** A write that fails for longer is given up: memory is discarded and recovered from the journal. */
  readonly giveUpMs?: number
  /** The disk that must not run full, when the database is on this machine: trading waits while it nearly is. */
  readonly diskFolder?: string
  /** How long prices stay valid without an index tick. Default: unlimited, for an exchange without feeds. */
  readonly silenceMaxMs?: number
  /** Records outside the database how far it was acknowledged. Without it, a database that was rolled back goes unnoticed. */
  readonly witness?: Witness
  readonly log?: (line: { readonly message: string; readonly cause?: unknown }) => void
}

/**
 * `up` accepts commands. `down` and `full` (the disk) recover by themselves; `full` still answers questions. `fenced` and
 * `halted` are final: this process must be replaced.
 */
export type EngineState = 'up' | 'down' | 'full' | 'fenced' | 'halted' | 'stopped'
