/** Currencies that are asked for most come first, the others by symbol. */
const first = ['USD', 'EUR', 'GBP', 'CHF', 'JPY', 'HKD', 'CNY']

export function inOrder(currencies: readonly string[]): readonly string[] {
  const rank = (currency: string): number => (first.indexOf(currency) + first.length + 1) % (first.length + 1)
  return [...currencies].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}
