/** The terms of trading that the app explains, by what they belong to. Their texts are the area `terms` of each language. */
export const termGroups = {
  prices: ['mark', 'index', 'last', 'book', 'spread', 'slippage', 'tick', 'maker'],
  orders: [
    'limit',
    'market',
    'stop',
    'trailing',
    'oco',
    'exits',
    'iceberg',
    'twap',
    'scaled',
    'postOnly',
    'reduceOnly',
    'gtc',
    'ioc',
    'fok',
  ],
  futures: [
    ...(['long', 'leverage', 'initial', 'maintenance', 'liquidation', 'cross', 'isolated', 'funding', 'hedge', 'unrealised'] as const),
    ...(['return', 'openInterest', 'insurance', 'adl'] as const),
  ],
  margin: ['level', 'interest', 'lending'],
  second: ['stake', 'breakEven', 'strike', 'median', 'guard', 'tape', 'proof'],
} as const

export type TermGroup = keyof typeof termGroups
export type TermId = (typeof termGroups)[TermGroup][number]

export const termIds: readonly TermId[] = Object.values(termGroups).flat()

const relatedMax = 4

/** Terms that stand beside this one in its group, the nearest first. */
export function relatedTo(id: TermId): readonly TermId[] {
  const group = Object.values(termGroups).find((terms: readonly TermId[]) => terms.includes(id)) ?? []
  const terms: readonly TermId[] = group
  const at = terms.indexOf(id)
  const distance = (term: TermId): number => Math.abs(terms.indexOf(term) - at)
  return terms
    .filter((term) => term !== id)
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, relatedMax)
}

/** The terms whose name or text contains every word, whatever its case and accents. */
export function matching(query: string, textsOf: (id: TermId) => readonly string[]): readonly TermId[] {
  const words = plain(query)
    .split(/\s+/)
    .filter((word) => word !== '')
  return termIds.filter((id) => {
    const text = plain(textsOf(id).join(' '))
    return words.every((word) => text.includes(word))
  })
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
