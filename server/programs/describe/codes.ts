/** The meaning of each code; the message of an answer is more specific. */
export const codeTexts: Readonly<Record<number, string>> = {
  [-1001]: 'Not available now; nothing was changed.',
  [-1003]: 'Too many requests: 429, and 418 while the address is shut out.',
  [-1006]: 'It is not known whether the write was executed: ask again with the same client id.',
  [-1007]: 'No answer in time; it is not known whether the write was executed.',
  [-1013]: 'A filter of the market refuses the order.',
  [-1015]: 'Too many orders.',
  [-1020]: 'Not supported.',
  [-1021]: 'The timestamp is outside of the window.',
  [-1022]: 'The signature does not fit.',
  [-1100]: 'Characters that a parameter may not have.',
  [-1101]: 'A parameter twice, or too many.',
  [-1102]: 'A mandatory parameter is missing or empty.',
  [-1104]: 'A parameter that the path does not know.',
  [-1105]: 'An empty parameter.',
  [-1106]: 'A parameter that this kind of order does not take.',
  [-1108]: 'Unknown asset.',
  [-1111]: 'More digits than the market or asset has.',
  [-1115]: 'Unknown timeInForce.',
  [-1116]: 'Unknown type of order.',
  [-1117]: 'Unknown side.',
  [-1120]: 'Unknown interval.',
  [-1121]: 'Unknown market.',
  [-1125]: 'The listen key is not known.',
  [-1127]: 'The end is before the start, or the span is too long.',
  [-1128]: 'Parameters that do not go together.',
  [-1130]: 'A value that can’t be.',
  [-1131]: 'A window above 60,000.',
  [-2010]: 'The order is refused; the sentence says why.',
  [-2011]: 'The cancel is refused: the order is not open.',
  [-2013]: 'There is no such order.',
  [-2014]: 'Nothing that could be a key.',
  [-2015]: 'Key, address or permission.',
  [-2018]: 'There is no such list.',
  [-2019]: 'The margin is too small.',
  [-2021]: 'Spot: cancelled or replaced, not both. Futures: the order would trigger at once.',
  [-2022]: 'Spot: neither cancelled nor replaced. Futures: the order would not reduce a position.',
  [-2027]: 'Above what the leverage allows.',
  [-2038]: 'The amendment is refused.',
  [-3003]: 'There are no Margin accounts.',
  [-3006]: 'More than the account may borrow.',
  [-3015]: 'More than is owed.',
  [-3020]: 'More than may be moved out.',
  [-3021]: 'The account can’t trade this pair.',
  [-3023]: 'The margin level is too low.',
  [-3027]: 'No asset that the account can hold.',
  [-3028]: 'No pair of Margin accounts.',
  [-3041]: 'The balance is too small.',
  [-3042]: 'The pair has no index price.',
  [-3045]: 'The pool has not enough.',
  [-4003]: 'The quantity is not above zero.',
  [-4014]: 'The price is no multiple of the tick.',
  [-4028]: 'Leverage that there is not.',
  [-4046]: 'The margin type is that already.',
  [-4047]: 'The margin type stays while orders are open.',
  [-4048]: 'The margin type stays while a position is open.',
  [-4059]: 'The position mode is that already.',
  [-4067]: 'The position mode stays while orders are open.',
  [-4068]: 'The position mode stays while a position is open.',
  [-4164]: 'The order is worth too little.',
  [-4166]: 'The span is too long.',
  [-5013]: 'The balance is too small.',
  [-5021]: 'Fill or kill: it could not be filled.',
  [-5022]: 'Post only: it would have matched.',
}

const every = [-1001, -1003, -1100, -1101, -1102, -1105, -1130]
const signed = [-1021, -1022, -1131, -2014, -2015]

/** Codes that every route of a kind can answer, in order. */
export function codesOf(kind: {
  readonly hasKey: boolean
  readonly isSigned: boolean
  readonly isWrite: boolean
  readonly hasSymbol: boolean
  /** Unknown parameters are refused. */
  readonly isStrict: boolean
  readonly own: readonly number[]
}): readonly number[] {
  const codes = new Set([...every, ...kind.own])
  if (kind.hasKey) for (const code of [-2014, -2015]) codes.add(code)
  if (kind.isSigned) for (const code of signed) codes.add(code)
  if (kind.isWrite) codes.add(-1006)
  if (kind.isStrict) codes.add(-1104)
  if (kind.hasSymbol) codes.add(-1121)
  return [...codes].sort((a, b) => b - a)
}
