/** The identity check: the data of one document and its photos, which a person of the exchange compares. */

export const paperKinds = ['id-card', 'passport', 'driving-licence'] as const
export type PaperKind = (typeof paperKinds)[number]

/** A passport has its photo page only. */
export const photoSides = ['front', 'back'] as const
export type PhotoSide = (typeof photoSides)[number]
export const sidesOf = (kind: PaperKind): readonly PhotoSide[] => (kind === 'passport' ? ['front'] : photoSides)

/** The reasons that a reviewer can give for each part. Customers read them in their own language. */
export const paperReasons = {
  kind: ['differs', 'not-accepted', 'expired', 'in-use'],
  country: ['differs', 'not-accepted'],
  name: ['differs', 'incomplete'],
  born: ['differs', 'under-age'],
  number: ['differs'],
  front: ['blurred', 'glare', 'cut-off', 'too-small', 'copy', 'not-this-side', 'altered'],
  back: ['blurred', 'glare', 'cut-off', 'too-small', 'copy', 'not-this-side', 'altered'],
} as const
export type PaperField = keyof typeof paperReasons
export type PaperReason = { readonly [Field in PaperField]: (typeof paperReasons)[Field][number] }[PaperField]
export type WirePaperFault = { readonly field: PaperField; readonly reason: PaperReason }

export type WirePhoto = {
  readonly side: PhotoSide
  /** Changes with each new photo. */
  readonly id: string
  readonly width: number
  readonly height: number
  readonly at: number
}

/**
 * The customer's own check. `state`: `draft` until it is sent, `waiting` until a person has decided, `certified` for good, or
 * `rejected` with the faults: then the data may be changed and sent again.
 */
export type WirePapers = {
  readonly state: 'none' | 'draft' | 'waiting' | 'rejected' | 'certified'
  readonly kind: PaperKind | null
  /** The country that issued the document, by its code of ISO 3166-1 (two capital letters). */
  readonly country: string | null
  readonly name: string | null
  /** Date of birth as YYYY-MM-DD. */
  readonly born: string | null
  /** In full while the customer may change it, otherwise only its last three characters, after dots. */
  readonly number: string | null
  readonly photos: readonly WirePhoto[]
  readonly faults: readonly WirePaperFault[]
  readonly sentAt: number | null
  readonly decidedAt: number | null
  /** How long the last hundred decisions took, in hours, the median rounded up; null before there are ten. */
  readonly usualHours: number | null
}

/** A field that is absent stays as it is. */
export type WirePapersDraft = {
  readonly kind?: PaperKind
  readonly country?: string
  readonly name?: string
  readonly born?: string
  readonly number?: string
}
