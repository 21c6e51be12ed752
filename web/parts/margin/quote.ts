/** Markets quoted in this coin have margin trading, even while it is closed. */
export const marginQuote = 'USDT'
