/** Offsets of the fields of firms' commands. They are on disk: append only, never renumber. */
export const FIRM_MAIN = 11
export const FIRM_JOIN_LENGTH = 12
export const FIRM_TO = 11
export const FIRM_ASSET = 12
export const FIRM_AMOUNT = 13
export const FIRM_MOVE_LENGTH = 14
export const FIRM_TIER = 12
export const FIRM_WITHDRAW_MAX = 13
export const FIRM_TERMS_LENGTH = 14
