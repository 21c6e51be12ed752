/** What an exchange's data is for. The order is on disk: append only. */
export const modes = ['sandbox', 'production'] as const
export type Mode = (typeof modes)[number]

/** Says once, at the first start, what this data is for. It stays so for as long as the data exists. */
export type SetMode = { readonly type: 'mode.set'; readonly mode: Mode }
