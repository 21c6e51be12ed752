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
  aboveTimeInForce: 'How long it stays open once triggered; for STOP_LOSS_LIMIT and TAKE_PROFIT_LIMIT.',
  belowType: 'Type of the order below the price.',
  belowClientOrderId: 'Your client id for it.',
  belowPrice: 'Its limit price.',
  belowStopPrice: 'The last price that triggers it.',
  belowTimeInForce: 'How long it stays open once triggered; for STOP_LOSS_LIMIT and TAKE_PROFIT_LIMIT.',
  quantity: 'Quantity of each order, of the base asset.',
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
