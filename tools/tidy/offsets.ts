/**
 * Positions of fields in a record are defined by its layout: in the codec, or by names beside the record's writer and reader. This
 * check counts, file by file, slots that are read or written by a bare number. The counts only fall.
 */
import { files, text } from './files.ts'
import { isTest } from './layers.ts'

/** The uses that are left. A commit that removes some lowers the count here. */
const left: Readonly<Record<string, number>> = {}

/** The codec defines the layouts; the other files handle byte formats defined by others, and name them. */
const formats = /^(core\/protocol\/codec\/|core\/proof\/sha256\.ts|server\/sockets\/frame\.ts|server\/store\/projection\/array-bytes\.ts)/

/** A position in a record plus a number: `data[at + 3]`, `words[start + 1 + n]`. */
const relative = /\[(?:at|end|from|next|own|slot|start|to|[a-z]t|w) \+ \d/g
/** A number alone: `data[6]`. Slot 0 is the start of anything. */
const absolute = /\bdata\[[1-9]/g

/** One sentence for each file whose count differs from the table. */
export function offsetFaults(): readonly string[] {
  const sources = files(/^(core|server)\/.*\.ts$/).filter((path) => !formats.test(path) && !isTest(path))
  return sources.flatMap((path) => {
    const [found, said] = [bareOffsets(text(path)), left[path] ?? 0]
    if (found > said) return [`${path} has ${found} slots by bare numbers, more than ${said}: name them in a layout`]
    if (found < said) return [`${path} has ${found} slots by bare numbers: lower the count in tools/tidy/offsets.ts, which is ${said}`]
    return []
  })
}

export function bareOffsets(source: string): number {
  return [relative, absolute].reduce((count, pattern) => count + (source.match(pattern)?.length ?? 0), 0)
}
