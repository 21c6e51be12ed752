/** Kinds of orders that the exchange carries out in parts, in the order of the lists. */
export const algoKinds = ['twap', 'scaled'] as const
export type AlgoKind = (typeof algoKinds)[number]
