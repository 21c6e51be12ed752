import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { binance } from '../venue/binance.ts'
import { coinbase } from '../venue/coinbase.ts'
import type { Venue } from '../venue/venue.ts'

/** A message as a venue sent it, and its time. */
export type Frame = { readonly atMs: number; readonly venue: Venue; readonly text: string }

/** The file can't be replayed. */
export class RecordingFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RecordingFault'
  }
}

/**
 * The frames of a recording, in order, read as they are asked for. Two formats, plain or gzip, one frame a line:
 *
 *   1723161253937085768 {"stream":"btcusdt@bookTicker","data":{…}}      Binance combined streams; receive time in ns
 *   1618677817.061845: {"type":"ticker",…}                              Coinbase; receive time in s, after lines
 *   wss://ws-feed.pro.coinbase.com <-> 1618677816.84                    about connections and requests
 */
export async function* frames(path: string): AsyncGenerator<Frame> {
  const file = createReadStream(path)
  const isPacked = path.endsWith('.gz')
  const source = isPacked ? file.pipe(createGunzip()) : file
  if (isPacked) file.on('error', (error) => source.destroy(error))
  try {
    for await (const line of createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })) {
      const frame = frameOf(line)
      if (frame !== undefined) yield frame
    }
  } catch (cause) {
    throw new RecordingFault(`the recording can't be read: ${path}`, { cause })
  } finally {
    source.destroy()
    file.destroy()
  }
}

function frameOf(line: string): Frame | undefined {
  const nanoseconds = /^(\d{16})\d{3} (\{.*)$/.exec(line)
  if (nanoseconds !== null) return { atMs: Number(nanoseconds[1]) / 1_000, venue: binance, text: nanoseconds[2] }
  const seconds = /^(\d{9,11}\.\d{1,9}): (\{.*)$/.exec(line)
  if (seconds !== null) return { atMs: Number(seconds[1]) * 1_000, venue: coinbase, text: seconds[2] }
  return undefined
}
