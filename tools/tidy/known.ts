/**
 * Known exceptions to the rules, with their sizes (lines are rounded up to tens). The lists only shrink: a new exception is a fault,
 * and so is an entry that no longer breaks its rule. A listed exception may become smaller, not larger.
 */
type Known = Readonly<Record<string, number>>

export const known: { readonly cycles: Known; readonly folders: Known; readonly files: Known; readonly functions: Known } = {
  /** Circles of files that import each other's values, with the number of files. */
  cycles: {},
  /** Folders, with the number of their sources. */
  folders: {},
  /** Files, with the number of their lines. */
  files: {},
  /** Functions, with the number of their lines; by name alone, so that the entry stays right when the file moves. */
  functions: {},
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
