/** Modes of an exchange: its data belongs to one of them. The position in the list is the number on disk: append only. */
export const modes = ['sandbox', 'production'] as const
export type Mode = (typeof modes)[number]

/** Sets the mode of the data once, at the first start. It can never change. */
export type SetMode = { readonly type: 'mode.set'; readonly mode: Mode }
