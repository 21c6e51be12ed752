import sharp from 'sharp'
import { Refused } from '../../refused.ts'

/** A JPEG with something to see on it. */
export async function picture(width: number, height: number, text = 'SPECIMEN'): Promise<Buffer> {
  const stripes = Buffer.alloc(width * height * 3)
  const seed = text.length
  for (let at = 0; at < stripes.length; at++) stripes[at] = ((at >> 5) * (seed + 7)) & 0xff
  return sharp(stripes, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 60 })
    .toBuffer()
}

/** The name of the refusal; undefined when there was none. */
export async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (cause) {
    if (cause instanceof Refused) return cause.refusal
    throw cause
  }
}
