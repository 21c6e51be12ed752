/** Access without the second factors: a customer who has lost them proves in other ways who they are, waits, and gets a link. */
import type { PaperKind, WirePhoto } from './papers.ts'
import type { Channel } from './user.ts'

/** The address to which a code was sent, masked. `steps`: how many addresses need one, this one among them. */
export type WireRegainCodeSent = {
  readonly channel: Channel
  readonly to: string
  readonly step: number
  readonly steps: number
  readonly resendAfter: number
  readonly expiresIn: number
}
export type WireRegainCode = { readonly channel: Channel; readonly code: string }

/**
 * `draft`: the certified document must be shown again. `sent`: two people compare it. `waiting`: until `dueAt`, when the link goes out.
 * `ready`: the link is at the address `to`. `confirmed`: of a frozen account, which two people open again.
 */
export const regainStates = ['draft', 'sent', 'waiting', 'ready', 'done', 'confirmed', 'rejected', 'stopped', 'expired'] as const
export type RegainState = (typeof regainStates)[number]

export type WireRegain = {
  readonly state: RegainState
  readonly createdAt: number
  readonly photos: readonly WirePhoto[]
  readonly sentAt: number | null
  readonly dueAt: number | null
  /** Masked: where the link goes. */
  readonly to: string
  /** How long the request waits, in milliseconds, once it begins to wait. */
  readonly waitMs: number
  readonly linkExpiresAt: number | null
}

/** The step after a right code: the next address, or the request. */
export type WireRegainStep = { readonly isDone: boolean }

/** The document that was certified, described once more. */
export type WireRegainPapers = {
  readonly kind: PaperKind
  readonly country: string
  readonly name: string
  readonly born: string
  readonly number: string
}
export type WireRegainFinish = { readonly token: string; readonly password: string; readonly passwordAgain: string }
