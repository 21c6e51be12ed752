import { deflateSync } from 'node:zlib'
import { runsOf, widthOfText } from './encode.ts'

/** A4 in points. */
const page = { width: 595, height: 842, margin: 48 } as const
const lineHeight = 1.4

export type Style = { readonly size?: number; readonly isBold?: boolean; readonly tone?: 'plain' | 'grey' }
/** A Chinese font that readers bring along: the two scripts have collections of their own. */
export type Script = 'hant' | 'hans'

const scripts = {
  hant: { base: 'MSung-Light', encoding: 'UniCNS-UCS2-H', ordering: 'CNS1' },
  hans: { base: 'STSong-Light', encoding: 'UniGB-UCS2-H', ordering: 'GB1' },
} as const

/**
 * A PDF of lines of text, from top to bottom over as many pages as it takes. Letters are set in the fonts that every reader has:
 * Helvetica, and for Chinese a font of Adobe's collections, so no font travels in the file.
 */
export class Document {
  readonly #script: Script
  readonly #pages: string[][] = []
  #y = 0

  constructor(script: Script) {
    this.#script = script
    this.#addPage()
  }

  /** Starts a new page if less than this height is left. */
  keepTogether(height: number): void {
    if (this.#y - height < page.margin) this.#addPage()
  }

  space(height: number): void {
    this.#y -= height
  }

  /** Text from the left edge, in as many lines as it needs. */
  text(text: string, style: Style = {}): void {
    const { size = 9 } = style
    for (const line of linesOf(text, page.width - 2 * page.margin, size)) {
      this.#next(size)
      this.#put(line, page.margin, style)
    }
  }

  /** A label at the left edge and a value at the right one; both on one line. */
  row(label: string, value: string, style: Style = {}): void {
    const { size = 9 } = style
    this.#next(size)
    this.#put(label, page.margin, style)
    this.#put(value, page.width - page.margin - (widthOfText(value) * size) / 1_000, { ...style, tone: 'plain' })
  }

  rule(): void {
    this.space(4)
    this.#content.push(`0.85 G 0.5 w ${page.margin} ${this.#y.toFixed(1)} m ${page.width - page.margin} ${this.#y.toFixed(1)} l S`)
    this.space(4)
  }

  /** The file. `footer` stands at the end of each page, before its number. */
  bytes(footer: string): Buffer {
    this.#pages.forEach((content, n) => {
      const number = `${n + 1} / ${this.#pages.length}`
      content.push(drawn(footer, page.margin, 28, { size: 7, tone: 'grey' }))
      content.push(drawn(number, page.width - page.margin - (widthOfText(number) * 7) / 1_000, 28, { size: 7, tone: 'grey' }))
    })
    return fileOf(
      this.#pages.map((content) => content.join('\n')),
      this.#script,
    )
  }

  get #content(): string[] {
    return this.#pages.at(-1) as string[]
  }

  #addPage(): void {
    this.#pages.push([])
    this.#y = page.height - page.margin
  }

  #next(size: number): void {
    this.keepTogether(size * lineHeight)
    this.#y -= size * lineHeight
  }

  #put(text: string, x: number, style: Style): void {
    this.#content.push(drawn(text, x, this.#y, style))
  }
}

function drawn(text: string, x: number, y: number, { size = 9, isBold = false, tone = 'plain' }: Style): string {
  const shown = runsOf(text).map(({ isWide, hex }) => `/${isWide ? 'F3' : isBold ? 'F2' : 'F1'} ${size} Tf <${hex}> Tj`)
  return `BT ${tone === 'grey' ? '0.4' : '0'} g ${x.toFixed(1)} ${y.toFixed(1)} Td ${shown.join(' ')} ET`
}

/** Breaks a text at spaces, and between Chinese characters, into lines of at most this width. */
function linesOf(text: string, width: number, size: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const part of text.match(/[\u2e80-\uffef]|[^\s\u2e80-\uffef]+\s*|\s+/gu) ?? []) {
    if (line !== '' && (widthOfText((line + part).trimEnd()) * size) / 1_000 > width) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += part
  }
  return [...lines, line.trimEnd()]
}

function fileOf(contents: readonly string[], script: Script): Buffer {
  const { base, encoding, ordering } = scripts[script]
  const objects: (string | Buffer)[] = []
  const add = (object: string | Buffer): number => objects.push(object)
  const catalog = add('')
  const pages = add('')
  const latin = (font: string): number => add(`<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`)
  const [plain, bold] = [latin('Helvetica'), latin('Helvetica-Bold')]
  const descriptor = add(
    `<< /Type /FontDescriptor /FontName /${base} /Flags 6 /FontBBox [-200 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 90 >>`,
  )
  const collection = `<< /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >>`
  const descendant = add(
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${base} /CIDSystemInfo ${collection} /DW 1000 /FontDescriptor ${descriptor} 0 R >>`,
  )
  const chinese = add(
    `<< /Type /Font /Subtype /Type0 /BaseFont /${base}-${encoding} /Encoding /${encoding} /DescendantFonts [${descendant} 0 R] >>`,
  )
  const fonts = `<< /F1 ${plain} 0 R /F2 ${bold} 0 R /F3 ${chinese} 0 R >>`
  const kids = contents.map((content) => {
    const packed = deflateSync(content)
    const stream = add(
      Buffer.concat([
        Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
        ...[packed, Buffer.from('\nendstream')],
      ]),
    )
    return add(
      `<< /Type /Page /Parent ${pages} 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Resources << /Font ${fonts} >> /Contents ${stream} 0 R >>`,
    )
  })
  objects[catalog - 1] = `<< /Type /Catalog /Pages ${pages} 0 R >>`
  objects[pages - 1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`
  return written(objects, catalog)
}

/** The objects with their offsets, as a reader looks them up. */
function written(objects: readonly (string | Buffer)[], catalog: number): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let length = parts[0]!.length
  const offsets = objects.map((object, n) => {
    const at = length
    const part = Buffer.concat([Buffer.from(`${n + 1} 0 obj\n`), Buffer.from(object as string), Buffer.from('\nendobj\n')])
    parts.push(part)
    length += part.length
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root ${catalog} 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}
