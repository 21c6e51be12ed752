import assert from 'node:assert/strict'
import { inflateSync } from 'node:zlib'

/** Texts of all pages, as a reader finds them: by the table of offsets, without the page's numbers. */
export function textsIn(file: Buffer): readonly string[] {
  const text = file.toString('latin1')
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)![1])
  const [head, ...lines] = text.slice(table).split('\n').slice(1)
  const count = Number(head!.split(' ')[1])
  const texts: string[] = []
  for (let n = 1; n < count; n++) {
    const at = Number(lines[n]!.slice(0, 10))
    assert.ok(text.startsWith(`${n} 0 obj\n`, at), `object ${n} is not at ${at}`)
    const stream = /^<< \/Length (\d+) \/Filter \/FlateDecode >>\nstream\n/.exec(text.slice(at + `${n} 0 obj\n`.length))
    if (stream === null) continue
    const start = at + `${n} 0 obj\n`.length + stream[0].length
    const content = inflateSync(file.subarray(start, start + Number(stream[1]))).toString('latin1')
    for (const [block] of content.matchAll(/BT .*? ET/g))
      texts.push(
        [...block.matchAll(/\/(F\d) \S+ Tf <([0-9a-f]*)> Tj/g)]
          .map(([, font, hex]) =>
            font === 'F3'
              ? Buffer.from(hex!, 'hex').swap16().toString('utf16le')
              : new TextDecoder('windows-1252').decode(Buffer.from(hex!, 'hex')),
          )
          .join(''),
      )
  }
  return texts
}
