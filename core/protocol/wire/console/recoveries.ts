/** Answers of the routes below `/recoveries`, as `server/console/recoveries/schema.ts` describes them. */
import type { PhotoSide } from '../papers.ts'

export type Recovery = {
  readonly id: string
  readonly uid: string
  readonly state: string
  readonly sentAt: number
  readonly dueAt: number | null
  readonly isFrozen: boolean
  readonly proposal: { readonly by: string; readonly at: number; readonly reason: string } | null
}

export type ShownDocument = {
  readonly fields: { readonly [Field in 'kind' | 'country' | 'name' | 'born' | 'number']?: string }
  readonly photos: readonly { readonly side: PhotoSide; readonly width: number; readonly height: number; readonly at: number }[]
}

export type RecoveryReview = Recovery & {
  readonly createdAt: number
  readonly device: string
  readonly ip: string
  readonly lang: string
  readonly registeredAt: number
  readonly earlier: number
  readonly now: ShownDocument
  readonly original: (ShownDocument & { readonly certifiedAt: number }) | null
  readonly matches: { readonly document: boolean; readonly name: boolean; readonly born: boolean }
}
