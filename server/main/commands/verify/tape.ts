import { TapeFile } from '@candor/core/proof/tape-file.ts'
import type { Result } from '../../command.ts'

/** What a piece of the index tape begins with, and no other file. */
export const tapeStart = '{"venues":'

/** What a tape shows whose lines were all right. */
export function saidOfTape(path: string, { first, last, count }: TapeFile): Result {
  if (first === undefined || last === undefined)
    return { json: { ok: false }, lines: [`${path}: wrong: there is no tick`], isFailure: true }
  const until = new Date(last.at).toISOString()
  return {
    json: { ok: true, ticks: count, first: first.tick, last: last.tick, at: last.at, hash: last.hash },
    lines: [
      `${path}: ${count} ticks, ${first.tick} to ${last.tick} of ${until}, each following from the one before`,
      `Last hash: ${last.hash}. Compare it with what others have. Names of venues and markets are not proved.`,
    ],
  }
}
