/**
 * What is not yet as a rule wants it. These lists only shrink: what is new is a fault, and so is an entry that is as the
 * rule wants it by now. Numbers are sizes, those of lines rounded up to tens: a listed one may become smaller, not larger.
 */
type Known = Readonly<Record<string, number>>

export const known: { readonly cycles: Known; readonly folders: Known; readonly files: Known; readonly functions: Known } = {
  /** Files that import each other's values, and how many they are. */
  cycles: {},
  /** Sources in a folder. */
  folders: {},
  /** Lines of a file. */
  files: {},
  /** Lines of a function, by its name alone: it keeps its place here when its file moves. */
  functions: {},
}

/** Faults of what was found, by name with its size, against the list `list` of what is known. */
export function ratchetFaults(
  list: keyof typeof known,
  found: ReadonlyMap<string, number>,
  knownSizes: Known,
  fault: (name: string, size: number) => string,
): readonly string[] {
  const grown = [...found].filter(([name, size]) => size > (knownSizes[name] ?? 0)).map(([name, size]) => fault(name, size))
  const gone = Object.keys(knownSizes).filter((name) => !found.has(name))
  return [...grown, ...gone.map((name) => `${name} is mended: take it off \`${list}\` in tools/tidy/known.ts`)]
}
