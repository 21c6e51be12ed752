import type { Records } from '../records.ts'

/** Per event: how it is written, and what must be read, without its type. */
export type Cases<Type extends string> = Readonly<Record<Type, { readonly put: (into: Records) => void; readonly event: object }>>
