/** Answers of the console's routes, as `server/console/schema.ts` describes them. */
import type { PaperField, PaperKind, PaperReason, PhotoSide } from '@candor/core/protocol/wire/papers.ts'

export const roles = ['administrator', 'compliance', 'treasury', 'risk', 'support', 'auditor'] as const
export type Role = (typeof roles)[number]

export type Me = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly loggedInAt: number
  /** The actions of the table of permissions that this role may do. */
  readonly mayDo: readonly string[]
}

export type Passkey = {
  readonly id: string
  readonly label: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly key: { readonly id: string; readonly publicKey: string } | null
}
export type Factors = { readonly authenticatorSince: number | null; readonly passkeys: readonly Passkey[] }
export type Session = {
  readonly id: string
  readonly device: string
  readonly ip: string
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly isCurrent: boolean
}

export type Member = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly state: 'invited' | 'active' | 'deactivated'
  readonly createdAt: number
  readonly lastSeenAt: number | null
}

export type ProposalKind = 'invitation' | 'enrolment' | 'role' | 'address' | 'deactivation'
export type Proposal = {
  readonly id: number
  readonly kind: ProposalKind
  readonly subject: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly reason: string
  /** Null for the command line. */
  readonly proposedBy: string | null
  readonly proposedAt: number
  readonly expiresAt: number
}

export type Wish =
  | { readonly kind: 'invitation'; readonly email: string; readonly name: string; readonly role: Role; readonly reason: string }
  | { readonly kind: 'role'; readonly staff: string; readonly role: Role; readonly reason: string }
  | { readonly kind: 'address'; readonly staff: string; readonly email: string; readonly reason: string }
  | { readonly kind: 'enrolment' | 'deactivation'; readonly staff: string; readonly reason: string }

export type Waiting = {
  readonly id: string
  readonly uid: string
  readonly kind: PaperKind | null
  readonly country: string | null
  readonly sentAt: number
  readonly claimedBy: string | null
  /** Sendings of this customer before this one. */
  readonly earlier: number
}
export type Queue = {
  readonly waiting: readonly Waiting[]
  readonly next?: string
  readonly count: number
  readonly oldestAt: number | null
}

export type Fault = { readonly field: PaperField; readonly reason: PaperReason }
export type Review = {
  readonly id: string
  readonly uid: string
  readonly state: 'waiting' | 'rejected' | 'certified' | 'revoked'
  readonly sentAt: number
  readonly claimedBy: string | null
  readonly lang: string
  readonly registeredAt: number
  readonly fields: {
    readonly kind?: PaperKind
    readonly country?: string
    readonly name?: string
    readonly born?: string
    readonly number?: string
  }
  readonly photos: readonly { readonly side: PhotoSide; readonly width: number; readonly height: number; readonly at: number }[]
  readonly before: readonly {
    readonly id: string
    readonly state: string
    readonly decidedAt: number | null
    readonly faults: readonly Fault[]
  }[]
  readonly sameDocument: readonly { readonly uid: string; readonly state: string }[]
}

export type Revocation = {
  readonly id: number
  readonly papers: string
  readonly uid: string
  readonly reason: string
  readonly proposedBy: string
  readonly proposedAt: number
  readonly expiresAt: number
}

export type Entry = {
  readonly id: number
  readonly at: number
  readonly staff: string | null
  readonly email: string | null
  readonly session: string | null
  readonly ip: string
  readonly device: string
  readonly action: string
  readonly subject: string | null
  readonly why: string | null
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}
export type LogPage = { readonly entries: readonly Entry[]; readonly next?: number }
