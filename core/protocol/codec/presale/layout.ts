/** Offsets of the fields of presales' commands. They are on disk: append only, never renumber. */
export const PRESALE = 11
export const PRESALE_TERMS = 12
export const PRESALE_CANCEL_LENGTH = 12
export const PRESALE_AMOUNT = 12
export const PRESALE_SUBSCRIBE_LENGTH = 13
