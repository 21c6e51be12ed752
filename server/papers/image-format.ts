/** Formats that are read. Everything else, above all SVG, never reaches a decoder. */
export type ImageFormat = 'jpeg' | 'png'

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const startOfJpeg = Buffer.from([0xff, 0xd8])
const [eoi, sos, rst0, rst7, tem] = [0xd9, 0xda, 0xd0, 0xd7, 0x01]

/**
 * The format of a file that is one whole image and nothing else; undefined for any other. Bytes after the image would make the file
 * a second thing (an archive, a page, a program) for other readers.
 */
export function formatOf(bytes: Buffer): ImageFormat | undefined {
  if (bytes.subarray(0, png.length).equals(png)) return endOfPng(bytes) === bytes.length ? 'png' : undefined
  if (bytes.subarray(0, 2).equals(startOfJpeg)) return endOfJpeg(bytes) === bytes.length ? 'jpeg' : undefined
  return undefined
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
    if (marker === sos) at = endOfScan(bytes, at)
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
