/** What an exchange's data is for. The position in the list is the number on disk: append only. */
export const modes = ['sandbox', 'production'] as const
export type Mode = (typeof modes)[number]

/** Sets once, at the first start, what this data is for. It can never change. */
export type SetMode = { readonly type: 'mode.set'; readonly mode: Mode }
