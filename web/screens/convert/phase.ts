/** The states of a quote between its arrival and the end of its conversion. */
import type { ConversionState } from '@candor/core/protocol/wire/convert.ts'

/**
 * `checking`: the answer to the acceptance was lost, and the conversion is looked for. `unaccepted`: it was looked for until the quote
 * could not be accepted any more.
 */
export type Phase = 'open' | 'expired' | 'sending' | 'checking' | 'converting' | 'filled' | 'moved' | 'no-index' | 'unaccepted'

/** A request that was on its way when the quote ended has arrived by then, or never will. */
const graceMs = 5_000

export type Known = {
  readonly expiresAt: number
  /** The exchange refused the acceptance because the quote has ended or was replaced. */
  readonly isOver: boolean
  readonly isSending: boolean
  /** The acceptance was sent, and was not refused. */
  readonly isSent: boolean
  /** State of the conversion; undefined until one was read. */
  readonly state: ConversionState | undefined
  /** The exchange knows no such conversion, as far as it was asked. */
  readonly isUnknown: boolean
}

export function phaseOf({ expiresAt, isOver, isSending, isSent, state, isUnknown }: Known, now: number): Phase {
  if (state !== undefined) return state === 'accepted' ? 'converting' : state
  if (isSending) return 'sending'
  if (isSent) return isUnknown && now > expiresAt + graceMs ? 'unaccepted' : 'checking'
  return isOver || now >= expiresAt ? 'expired' : 'open'
}

/** Seconds until a quote ends, from the first whole one to 0. */
export function secondsLeft(expiresAt: number, now: number): number {
  return Math.max(0, Math.ceil((expiresAt - now) / 1_000))
}

/** The part of a quote's time that is left, from 1 to 0. */
export function shareLeft(expiresAt: number, validMs: number, now: number): number {
  return validMs <= 0 ? 0 : Math.min(1, Math.max(0, (expiresAt - now) / validMs))
}
