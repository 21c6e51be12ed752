/** Kinds of records that come from blockchains. */
export type ChainKind = 'deposit' | 'withdrawal'

export const isChainKind = (type: string): type is ChainKind => type === 'deposit' || type === 'withdrawal'
