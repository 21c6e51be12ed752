/**
 * Known exceptions to the rules, with their sizes (lines are rounded up to tens). The lists only shrink: a new exception is a fault,
 * and so is an entry that no longer breaks its rule. A listed exception may become smaller, not larger.
 */
type Known = Readonly<Record<string, number>>

export const known: Readonly<Record<'cycles' | 'folders' | 'files' | 'functions' | 'calls', Known>> = {
  /** Circles of files that import each other's values, with the number of files. */
  cycles: {},
  /** Folders, with the number of their sources. */
  folders: {},
  /** Files, with the number of their lines. */
  files: {},
  /** Functions, with the number of their lines; by name alone, so that the entry stays right when the file moves. */
  functions: {},
  /** Functions, by path and name, with the number of their parameters: they run for every order, and a named object costs memory. */
  calls: {
    'core/exchange/margin/desk.ts check': 7,
    'core/exchange/margin/desk.ts limit': 8,
    'core/exchange/perp/handlers/place-sleeping.ts placeSleeping': 7,
    'core/exchange/perp/handlers/place.ts placeLimit': 7,
    'core/exchange/perp/handlers/place.ts trade': 7,
    'core/exchange/perp/handlers/place.ts accept': 7,
    'core/exchange/perp/positions/fill.ts fill': 8,
    'core/exchange/perp/positions/fill.ts open': 7,
    'core/exchange/perp/positions/settle.ts take': 7,
    'core/exchange/perp/positions/settle.ts run': 9,
    'core/exchange/perp/positions/settle.ts settle': 7,
    'core/exchange/perp/positions/settle.ts takerPart': 8,
    'core/exchange/requests/requests.ts add': 8,
    'core/exchange/requests/requests.ts a function without a name': 8,
    'core/exchange/requests/requests.ts #write': 9,
    'core/exchange/spot/funds.ts checkFunds': 8,
    'core/exchange/spot/funds.ts marketLimit': 8,
    'core/exchange/spot/place-oco.ts rest': 7,
    'core/exchange/spot/place-sleeping.ts sleep': 8,
    'core/exchange/spot/settle.ts take': 10,
    'core/exchange/spot/settle.ts payMargin': 9,
    'core/exchange/spot/settle.ts cut': 8,
    'core/protocol/codec/event-write.ts writeOutcome': 7,
    'core/protocol/codec/event-write.ts writeEntry': 8,
    'core/protocol/codec/event-write.ts writeAccepted': 14,
    'core/protocol/codec/event-write.ts writeAmended': 7,
    'core/protocol/codec/event-write.ts writePrevented': 7,
    'core/protocol/codec/event-write.ts writeTraded': 13,
    'core/protocol/codec/event-write.ts writeClosed': 7,
    'server/programs/spot/cancel.ts cancelReport': 7,
    'server/programs/spot/cancel.ts soughtReport': 7,
  },
}

/** Faults of the exceptions that were found, by name with their size, compared with the list `list` of known ones. */
export function ratchetFaults(
  list: keyof typeof known,
  found: ReadonlyMap<string, number>,
  knownSizes: Known,
  fault: (name: string, size: number) => string,
): readonly string[] {
  const grown = [...found].filter(([name, size]) => size > (knownSizes[name] ?? 0)).map(([name, size]) => fault(name, size))
  const gone = Object.keys(knownSizes).filter((name) => !found.has(name))
  return [...grown, ...gone.map((name) => `${name} keeps the rule now: remove it from \`${list}\` in tools/tidy/known.ts`)]
}
