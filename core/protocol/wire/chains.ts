/** How a network writes addresses, and how its transactions look. */
export type NetworkKind = 'evm' | 'tron'

/** A network on which coins come and go. `label`: how customers know it, `TRC20`. */
export type WireNetwork = { readonly name: string; readonly label: string; readonly kind: NetworkKind }
