/** A row of the journal and its transaction: the last command, the number of commands, the transaction's 32-bit id. */
export type IndexRow = { readonly seq: number; readonly n: number; readonly xid: number }

const rowBytes = 16

export function encodeIndex(rows: readonly IndexRow[]): Buffer {
  const bytes = Buffer.alloc(rows.length * rowBytes)
  for (const [at, { seq, n, xid }] of rows.entries()) {
    bytes.writeDoubleLE(seq, at * rowBytes)
    bytes.writeUInt32LE(n, at * rowBytes + 8)
    bytes.writeUInt32LE(xid, at * rowBytes + 12)
  }
  return bytes
}

/** The row that has a command; undefined: none of these. */
export function findInIndex(bytes: Buffer, seq: number): IndexRow | undefined {
  let [low, high] = [0, bytes.length / rowBytes - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const at = middle * rowBytes
    const row = { seq: bytes.readDoubleLE(at), n: bytes.readUInt32LE(at + 8), xid: bytes.readUInt32LE(at + 12) }
    if (seq > row.seq) low = middle + 1
    else if (seq <= row.seq - row.n) high = middle - 1
    else return row
  }
  return undefined
}
