import type { Records } from '../records.ts'

/** For each event: a function that writes it, and the event that must be read back, without its type. */
export type Cases<Type extends string> = Readonly<Record<Type, { readonly put: (into: Records) => void; readonly event: object }>>
