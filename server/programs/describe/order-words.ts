/** Codes of every route that places an order of spot or of a Margin account. */
export const placeCodes = [-1013, -1015, -1106, -1111, -1115, -1116, -1117, -2010]
/** Parameters that orders of spot and of Margin accounts share. */
export const orderWords = {
  type: 'LIMIT, MARKET, LIMIT_MAKER, STOP_LOSS, STOP_LOSS_LIMIT, TAKE_PROFIT or TAKE_PROFIT_LIMIT.',
} as const
/** Parameters that only orders of the spot account have. */
export const strategyWords = {
  strategyId: 'Number of your strategy, for you alone.',
  strategyType: 'Its type, at least 1,000,000.',
} as const
export const cancelWords = { newClientOrderId: 'Your own name of the cancel.' } as const
/** Parameters of a list by its legs above and below the price. */
export const listWords = {
  aboveType: 'Type of the order above the price.',
  aboveClientOrderId: 'Your own name of it.',
  abovePrice: 'Its limit.',
  aboveStopPrice: 'The last price that sets it off.',
  aboveTimeInForce: 'How long it stands when it was set off; for STOP_LOSS_LIMIT and TAKE_PROFIT_LIMIT.',
  belowType: 'Type of the order below the price.',
  belowClientOrderId: 'Your own name of it.',
  belowPrice: 'Its limit.',
  belowStopPrice: 'The last price that sets it off.',
  belowTimeInForce: 'How long it stands when it was set off; for STOP_LOSS_LIMIT and TAKE_PROFIT_LIMIT.',
  quantity: 'Of both orders, of the base asset.',
} as const
/** Parameters of a list by its limit and its stop. */
export const oldListWords = {
  quantity: 'Of both orders, of the base asset.',
  price: 'Of the limit order.',
  limitClientOrderId: 'Your own name of the limit order.',
  stopClientOrderId: 'Your own name of the stop.',
  stopPrice: 'The last price that sets the stop off.',
  stopLimitPrice: 'Makes the stop a limit order at this price.',
  stopLimitTimeInForce: 'How long that limit order stands when it was set off; without it GTC.',
} as const
