/** Codes of every route that places an order of spot or of a Margin account. */
export const placeCodes = [-1013, -1015, -1106, -1111, -1115, -1116, -1117, -2010]
/** Parameters that orders of spot and of Margin accounts share. */
export const orderWords = {
  type: 'LIMIT, MARKET, LIMIT_MAKER, STOP_LOSS, STOP_LOSS_LIMIT, TAKE_PROFIT or TAKE_PROFIT_LIMIT.',
} as const
/** Parameters that only orders of the spot account have. */
export const strategyWords = {
  strategyId: 'Number of your strategy; only you see it.',
  strategyType: 'Its type, at least 1,000,000.',
} as const
export const cancelWords = { newClientOrderId: 'Your client id for the cancel.' } as const
/** Parameters of a list by its legs above and below the price. */
export const listWords = {
  aboveType: 'Type of the order above the price.',
  aboveClientOrderId: 'Your client id for it.',
  abovePrice: 'Its limit price.',
  aboveStopPrice: 'The last price that triggers it.',
  aboveTrailingDelta:
    'Lets it trail: the distance in hundredths of a percent. With it, aboveStopPrice is where a TAKE_PROFIT begins to trail.',
  aboveIcebergQty: 'Its visible part; for LIMIT_MAKER, or with GTC.',
  aboveTimeInForce: 'How long it stays open once triggered; for STOP_LOSS_LIMIT and TAKE_PROFIT_LIMIT.',
  belowType: 'Type of the order below the price.',
  belowClientOrderId: 'Your client id for it.',
  belowPrice: 'Its limit price.',
  belowStopPrice: 'The last price that triggers it.',
  belowTrailingDelta:
    'Lets it trail: the distance in hundredths of a percent. With it, belowStopPrice is where a TAKE_PROFIT begins to trail.',
  belowIcebergQty: 'Its visible part; for LIMIT_MAKER, or with GTC.',
  belowTimeInForce: 'How long it stays open once triggered; for STOP_LOSS_LIMIT and TAKE_PROFIT_LIMIT.',
  quantity: 'Quantity of each order, of the base asset.',
} as const
const workingWords = {
  workingType: 'LIMIT or LIMIT_MAKER.',
  workingSide: 'BUY or SELL.',
  workingClientOrderId: 'Your client id for the working order.',
  workingPrice: 'Its limit price.',
  workingQuantity: 'Its quantity, of the base asset.',
  workingIcebergQty: 'Its visible part; for LIMIT_MAKER, or with GTC.',
  workingTimeInForce: 'How long it stays open; for LIMIT.',
} as const
/** Parameters of a working order and one that waits for it. */
export const otoWords = {
  ...workingWords,
  pendingType: 'Type of the waiting order.',
  pendingSide: 'BUY or SELL.',
  pendingClientOrderId: 'Your client id for the waiting order.',
  pendingPrice: 'Its limit price.',
  pendingStopPrice: 'The last price that triggers it.',
  pendingTrailingDelta: 'Lets it trail: the distance in hundredths of a percent.',
  pendingIcebergQty: 'Its visible part; for LIMIT_MAKER, or with GTC.',
  pendingTimeInForce: 'How long it stays open.',
  pendingQuantity: 'Its quantity, of the base asset.',
} as const
/** Parameters of a working order and a pair that waits for it. */
export const otocoWords = {
  ...workingWords,
  pendingSide: 'Side of both waiting orders.',
  pendingQuantity: 'Quantity of each of them, of the base asset.',
  pendingAboveType: 'Type of the waiting order above the price.',
  pendingAboveClientOrderId: 'Your client id for it.',
  pendingAbovePrice: 'Its limit price.',
  pendingAboveStopPrice: 'The last price that triggers it.',
  pendingAboveTrailingDelta: 'Lets it trail: the distance in hundredths of a percent.',
  pendingAboveIcebergQty: 'Its visible part; for LIMIT_MAKER, or with GTC.',
  pendingAboveTimeInForce: 'How long it stays open once triggered.',
  pendingBelowType: 'Type of the waiting order below the price.',
  pendingBelowClientOrderId: 'Your client id for it.',
  pendingBelowPrice: 'Its limit price.',
  pendingBelowStopPrice: 'The last price that triggers it.',
  pendingBelowTrailingDelta: 'Lets it trail: the distance in hundredths of a percent.',
  pendingBelowIcebergQty: 'Its visible part; for LIMIT_MAKER, or with GTC.',
  pendingBelowTimeInForce: 'How long it stays open once triggered.',
} as const
/** Parameters of a list by its limit and its stop. */
export const oldListWords = {
  quantity: 'Quantity of each order, of the base asset.',
  price: 'Price of the limit order.',
  limitClientOrderId: 'Your client id for the limit order.',
  stopClientOrderId: 'Your client id for the stop.',
  stopPrice: 'The last price that triggers the stop.',
  stopLimitPrice: 'Makes the stop a limit order at this price.',
  stopLimitTimeInForce: 'How long that limit order stays open once triggered; GTC by default.',
} as const
