/**
 * Where a field stands in a record is said by the record's layout: in the codec, or by names beside the record's writer and reader. A
 * slot that is read or written by a bare number is counted here file by file. The counts only fall.
 */
import { files, text } from './files.ts'
import { isTest } from './layers.ts'

/** What is left. Lower a line in the commit that takes something away. */
const left: Readonly<Record<string, number>> = {}

/** The codec says where everything stands; the others write and read bytes of formats that are not ours, and say which. */
const formats = /^(core\/protocol\/codec\/|core\/proof\/sha256\.ts|server\/sockets\/frame\.ts|server\/store\/projection\/array-bytes\.ts)/

/** A place in a record and a number: `data[at + 3]`, `words[start + 1 + n]`. */
const relative = /\[(?:at|end|from|next|own|slot|start|to|[a-z]t|w) \+ \d/g
/** A number alone: `data[6]`. Slot 0 is the start of anything. */
const absolute = /\bdata\[[1-9]/g

/** One sentence for each file whose count is not what the table says. */
export function offsetFaults(): readonly string[] {
  const sources = files(/^(core|server)\/.*\.ts$/).filter((path) => !formats.test(path) && !isTest(path))
  return sources.flatMap((path) => {
    const [found, said] = [bareOffsets(text(path)), left[path] ?? 0]
    if (found > said) return [`${path} has ${found} slots by bare numbers, more than ${said}: name them in a layout`]
    if (found < said) return [`${path} has ${found} slots by bare numbers: write that into tools/tidy/offsets.ts, which says ${said}`]
    return []
  })
}

export function bareOffsets(source: string): number {
  return [relative, absolute].reduce((count, pattern) => count + (source.match(pattern)?.length ?? 0), 0)
}
