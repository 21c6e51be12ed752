import type { Witness } from '../journal/witness.ts'
import type { Store } from '../store/open.ts'
import type { TimeSource } from './sequencer.ts'

export type EngineOptions = {
  readonly store: Store
  readonly time?: TimeSource
  /** Commands that may wait; beyond that they are refused with UNAVAILABLE. */
  readonly inboxMax?: number
  readonly batchMax?: number
  /** A commit that takes longer makes callers hear STATUS_UNKNOWN instead of waiting. */
  readonly stallMs?: number
  /** A write that fails for longer is given up: memory is thrown away and recovered from the journal. */
  readonly giveUpMs?: number
  /** The disk that must not run full, when the database lies on this machine: trading waits while it nearly is. */
  readonly diskFolder?: string
  /** So long prices hold without an index tick. Default: for ever, for an exchange without feeds. */
  readonly silenceMaxMs?: number
  /** Knows outside the database how far it was acknowledged. Without one a database that was rolled back is not noticed. */
  readonly witness?: Witness
  readonly log?: (line: { readonly message: string; readonly cause?: unknown }) => void
}

/** `up` takes commands. `down` and `full` (the disk) come back by themselves; `full` still answers questions. `fenced` and `halted` are the end: this process has to be replaced. */
export type EngineState = 'up' | 'down' | 'full' | 'fenced' | 'halted' | 'stopped'
