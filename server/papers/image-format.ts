/** Formats that are read. Everything else, above all SVG, never reaches a decoder. */
export type ImageFormat = 'jpeg' | 'png'

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const startOfJpeg = Buffer.from([0xff, 0xd8])
const [eoi, sos, rst0, rst7, tem] = [0xd9, 0xda, 0xd0, 0xd7, 0x01]

/** Cameras write at most a dozen. Each costs a pass over all pixels, though it may have a few bytes only. */
const scansMax = 100

/** The format that the first bytes claim. */
export function startsAs(bytes: Buffer): ImageFormat | undefined {
  if (bytes.subarray(0, png.length).equals(png)) return 'png'
  return bytes.subarray(0, 2).equals(startOfJpeg) ? 'jpeg' : undefined
}

/**
 * The format of a file that is one whole image and nothing else; undefined for any other. Bytes after the image would make the file
 * a second thing (an archive, a page, a program) for other readers.
 */
export function formatOf(bytes: Buffer): ImageFormat | undefined {
  const format = startsAs(bytes)
  if (format === undefined) return undefined
  return (format === 'png' ? endOfPng(bytes) : endOfJpeg(bytes)) === bytes.length ? format : undefined
}

/** Each chunk: length of the data, name, data, checksum. */
function endOfPng(bytes: Buffer): number | undefined {
  for (let at = png.length; at + 12 <= bytes.length; ) {
    const name = bytes.toString('latin1', at + 4, at + 8)
    at += 12 + bytes.readUInt32BE(at)
    if (name === 'IEND') return at
  }
  return undefined
}

/** Segments begin with a marker; after a start of scan come compressed bytes up to the next marker. */
function endOfJpeg(bytes: Buffer): number | undefined {
  let at = 2
  let scans = 0
  while (at + 2 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      // A fill byte.
      at++
      continue
    }
    if (marker === eoi) return at + 2
    at += 2
    if (marker === tem || (marker >= rst0 && marker <= rst7)) continue
    if (at + 2 > bytes.length) return undefined
    at += bytes.readUInt16BE(at)
    if (marker !== sos) continue
    if (++scans > scansMax) return undefined
    at = endOfScan(bytes, at)
  }
  return undefined
}

function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; ; at += 2) {
    at = bytes.indexOf(0xff, at)
    if (at < 0 || at + 1 >= bytes.length) return bytes.length
    const next = bytes.readUInt8(at + 1)
    if (next !== 0 && !(next >= rst0 && next <= rst7)) return at
  }
}
