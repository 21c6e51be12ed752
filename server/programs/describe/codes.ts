/** The meaning of each code; the message of an answer is more specific. */
export const codeTexts: Readonly<Record<number, string>> = {
  [-1001]: 'Not available now; nothing was changed.',
  [-1003]: 'Too many requests: 429, and 418 while the address is banned.',
  [-1006]: 'It is unknown whether the write was executed: send it again with the same client id.',
  [-1007]: 'No answer in time; it is unknown whether the write was executed.',
  [-1013]: 'A filter of the market refuses the order.',
  [-1015]: 'Too many orders; refused commands count as orders, too.',
  [-1020]: 'Not supported.',
  [-1021]: 'The timestamp is outside the receive window.',
  [-1022]: 'The signature is not valid.',
  [-1100]: 'A parameter has illegal characters, or the path or method is unknown.',
  [-1101]: 'A parameter was sent twice, or there are more than 64.',
  [-1102]: 'A mandatory parameter is missing or empty.',
  [-1104]: 'The path has no such parameter. Only paths below /api refuse unknown parameters.',
  [-1105]: 'An optional parameter is empty.',
  [-1106]: 'A parameter is not allowed for this type of order.',
  [-1108]: 'Unknown asset.',
  [-1111]: 'A number has more digits than the market or asset allows.',
  [-1115]: 'Unknown timeInForce.',
  [-1116]: 'Unknown type of order.',
  [-1117]: 'Unknown side.',
  [-1120]: 'Unknown interval.',
  [-1121]: 'Unknown market.',
  [-1125]: 'Unknown listen key.',
  [-1127]: 'The end is before the start, or the time span is too long.',
  [-1128]: 'The parameters cannot be combined.',
  [-1130]: 'A parameter has an invalid value.',
  [-1131]: 'recvWindow is above 60,000.',
  [-2010]: 'The order is refused; the message says why.',
  [-2011]: 'The cancel is refused: the order is not open.',
  [-2013]: 'There is no such order.',
  [-2014]: 'The API key is malformed.',
  [-2015]: 'The key is unknown, or does not permit this request from this address.',
  [-2018]: 'There is no such list.',
  [-2019]: 'The margin is not sufficient.',
  [-2021]: 'Spot: only one half of a cancel-replace succeeded. Futures: the order would trigger at once.',
  [-2022]: 'Spot: no half of a cancel-replace succeeded. Futures: the order would not reduce a position.',
  [-2027]: 'The position would be larger than the leverage allows.',
  [-2038]: 'The amendment is refused.',
  [-3003]: 'There are no Margin accounts.',
  [-3006]: 'The account cannot borrow that much.',
  [-3015]: 'The repayment is more than the debt.',
  [-3020]: 'That much cannot be transferred out.',
  [-3021]: 'The account can’t trade this pair.',
  [-3023]: 'The margin level is too low.',
  [-3027]: 'The account cannot hold this asset.',
  [-3028]: 'The pair has no margin trading.',
  [-3041]: 'The balance is not sufficient.',
  [-3042]: 'The pair has no index price.',
  [-3045]: 'The pool does not have enough left to lend.',
  [-4003]: 'The quantity is not above zero.',
  [-4014]: 'The price is not a multiple of the tick.',
  [-4026]: 'The balance is not sufficient.',
  [-4028]: 'The market does not offer this leverage.',
  [-4046]: 'The margin type is already set.',
  [-4047]: 'The margin type cannot change while orders are open.',
  [-4048]: 'The margin type cannot change while a position is open.',
  [-4059]: 'The position mode is already set.',
  [-4067]: 'The position mode cannot change while orders are open.',
  [-4068]: 'The position mode cannot change while a position is open.',
  [-4164]: 'The value of the order is below the minimum.',
  [-4166]: 'The time span is too long.',
  [-5011]: 'The account is closed.',
  [-5012]: 'Both accounts are the same.',
  [-5013]: 'The balance is not sufficient.',
  [-5021]: 'A fill-or-kill order could not be filled.',
  [-5022]: 'A post-only order would have traded at once.',
  [-5037]: 'The word for the matched price level is unknown.',
  [-5038]: 'An order of this type takes no price from the book.',
  [-5040]: 'The date until which the order is good is too near or too far.',
  [-5041]: 'The book has no such price level.',
}

/** Codes that any path may answer with, and their HTTP statuses: a table of docs/api.md. */
export const generalCodes: readonly (readonly [code: number, ...statuses: readonly number[]])[] = [
  [-1001, 503],
  [-1006, 503],
  [-1003, 429, 418],
  [-1015, 429],
  [-1100, 400, 404, 405],
  [-1101, 400],
  [-1102, 400],
  [-1105, 400],
  [-1104, 400],
  [-1120, 400],
  [-1121, 400],
  [-1127, 400],
  [-1128, 400],
  [-1130, 400],
]

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
