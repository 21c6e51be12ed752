/** What the bank knows: its customers' requests and the answers to them. */

export type OrderRequest = {
  readonly kind: 'order'
  readonly id: string
  readonly side: 'BUY' | 'SELL'
  readonly price: string
  readonly quantity: string
}
/** `target`: client id of the order to cancel. */
export type CancelRequest = { readonly kind: 'cancel'; readonly id: string; readonly target: string }
export type TransferRequest = {
  readonly kind: 'transfer'
  readonly id: string
  readonly type: 'MAIN_UMFUTURE' | 'UMFUTURE_MAIN'
  readonly amount: string
}
export type Request = OrderRequest | CancelRequest | TransferRequest

/** A request with its final answer. Times in ms since 1970. */
export type Told = {
  readonly customer: number
  readonly request: Request
  /** False: refused, so it must have had no effect. */
  readonly isAcknowledged: boolean
  /** Number of the order or movement that the answer names; 0 for a refusal. */
  readonly number: number
  readonly tries: number
  readonly firstSentAt: number
  readonly answeredAt: number
}

export type HeldOrder = {
  readonly id: string
  readonly number: number
  readonly side: string
  readonly price: string
  readonly quantity: string
  readonly filled: string
  readonly status: string
}
export type HeldTransfer = { readonly number: number; readonly type: string; readonly amount: string }
export type HeldTrade = {
  readonly order: number
  readonly isBuyer: boolean
  readonly quantity: string
  readonly value: string
  readonly fee: string
  readonly feeAsset: string
}
/** Available and held together, by asset. */
export type Balances = Readonly<Record<string, string>>

/** What the exchange lists of one customer since the bank began to count. */
export type Held = {
  readonly customer: number
  readonly orders: readonly HeldOrder[]
  readonly transfers: readonly HeldTransfer[]
  readonly trades: readonly HeldTrade[]
  readonly before: Balances
  readonly after: Balances
}
