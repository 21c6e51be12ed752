import type { WitnessPeers } from '../journal/witness-peers.ts'
import type { Witness } from '../journal/witness.ts'
import type { Store } from '../store/open.ts'
import type { EngineMeter } from '../watch/engine-meter.ts'
import type { LeaseTimes } from './leader/lease.ts'
import type { TimeSource } from './sequencer.ts'

export type EngineOptions = {
  readonly store: Store
  readonly time?: TimeSource
  /** Most commands that may wait; more are refused with UNAVAILABLE. */
  readonly inboxMax?: number
  readonly batchMax?: number
  /** When a commit takes longer, callers get STATUS_UNKNOWN instead of waiting. */
  readonly stallMs?: number
  /** A write that fails for longer is given up: memory is discarded and recovered from the journal. */
  readonly giveUpMs?: number
  /** A folder on the database's disk, if that is on this machine: trading pauses while the disk is nearly full. */
  readonly diskFolder?: string
  /** How long prices stay valid without an index tick. Default: unlimited, for an exchange without feeds. */
  readonly silenceMaxMs?: number
  /** Whether tables take the memory for all that they can ever hold before the first command. Default: true. */
  readonly reservesTables?: boolean
  /** Records outside the database up to where the journal was acknowledged. Without it, a rolled-back database goes unnoticed. */
  readonly witness?: Witness
  /**
   * Other machines have engines of the same database: this one waits as a hot standby until none leads, and answers only while its
   * lease holds. Without it, this engine takes the leadership at once.
   */
  readonly standby?: boolean
  /** Witnesses of other machines. */
  readonly peers?: WitnessPeers
  /** Times of the lease. They must be the same on all machines. */
  readonly times?: LeaseTimes
  /** Counts batches, commits and refusals. */
  readonly meter?: EngineMeter
  readonly log?: (line: { readonly message: string; readonly cause?: unknown }) => void
}

/**
 * `up` accepts commands. `standby` follows the leader on another machine. `down` and `full` (the disk) recover by themselves; `full`
 * still answers questions. `fenced` and `halted` are final: this process must be replaced.
 */
export type EngineState = 'up' | 'standby' | 'down' | 'full' | 'fenced' | 'halted' | 'stopped'
