/** Markets quoted in it have margin trading, also while that is closed. */
export const marginQuote = 'USDT'
