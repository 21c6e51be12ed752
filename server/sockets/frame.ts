/** A text message as one WebSocket frame of a server: unmasked and uncompressed. Built once and written to every socket that wants it. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(headOf(length) + length)
  writeFrame(frame, 0, text, length)
  return frame
}

/** Joins complete frames with texts that still need framing. */
export function joinFrames(parts: readonly (Buffer | string)[]): Buffer {
  const lengths = parts.map((part) => (typeof part === 'string' ? Buffer.byteLength(part) : part.length))
  let size = 0
  for (let i = 0; i < parts.length; i++) size += (lengths[i] as number) + (typeof parts[i] === 'string' ? headOf(lengths[i] as number) : 0)
  const joined = Buffer.allocUnsafe(size)
  let at = 0
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as Buffer | string
    if (typeof part === 'string') at = writeFrame(joined, at, part, lengths[i] as number)
    else at += part.copy(joined, at)
  }
  return joined
}

const headOf = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10)

/** Writes the whole frame and returns the index just after it. */
function writeFrame(into: Buffer, at: number, text: string, length: number): number {
  const head = headOf(length)
  into[at] = 0x81
  if (head === 2) into[at + 1] = length
  else if (head === 4) {
    into[at + 1] = 126
    into.writeUInt16BE(length, at + 2)
  } else {
    into[at + 1] = 127
    into.writeUInt32BE(0, at + 2)
    into.writeUInt32BE(length, at + 6)
  }
  // One byte per character: the text is ASCII, and `latin1` is the fastest encoding for it.
  if (length === text.length) into.write(text, at + head, 'latin1')
  else into.write(text, at + head, 'utf8')
  return at + head + length
}
