/** Letters of five columns; the lowest bit of a column is its top row. */
const letters: Readonly<Record<string, string>> = {
  ...{ ' ': '0000000000', '!': '00005f0000', '#': '147f147f14', $: '242a7f2a12', '%': '2313086462', '&': '3649562050' },
  ...{ "'": '0008070300', '*': '2a1c7f1c2a', '+': '08083e0808', '-': '0808080808', '.': '0000606000', '/': '2010080402' },
  ...{ '0': '3e5149453e', '1': '00427f4000', '2': '7249494946', '3': '2141494d33', '4': '1814127f10', '5': '2745454539' },
  ...{ '6': '3c4a494931', '7': '4121110907', '8': '3649494936', '9': '464949291e', ':': '0000140000', '=': '1414141414' },
  ...{ '?': '0201590906', '@': '3e415d594e', '^': '0402010204', _: '4040404040', '`': '0003070800', '~': '0201020402' },
  ...{ A: '7c1211127c', B: '7f49494936', C: '3e41414122', D: '7f4141413e', E: '7f49494941', F: '7f09090901', G: '3e41415173' },
  ...{ H: '7f0808087f', I: '00417f4100', J: '2040413f01', K: '7f08142241', L: '7f40404040', M: '7f021c027f', N: '7f0408107f' },
  ...{ O: '3e4141413e', P: '7f09090906', Q: '3e4151215e', R: '7f09192946', S: '2649494932', T: '03017f0103', U: '3f4040403f' },
  ...{ V: '1f2040201f', W: '3f4038403f', X: '6314081463', Y: '0304780403', Z: '6159494d43', '{': '0008364100', '}': '0041360800' },
  '|': '0000770000',
}
const columns = 5
const rows = 7
/** Columns of a letter and the gap behind it. */
const advance = columns + 1

/** Lines rise by a third of their length: no crop along the document's edges is free of them. */
const slope = 1 / 3
/** Lines between two lines of text, in heights of a letter. */
const lineEvery = 5
const textGap = 4
/** Of 255 each. */
type Shade = { readonly value: number; readonly opacity: number }
const light: Shade = { value: 255, opacity: 90 }
const dark: Shade = { value: 0, opacity: 70 }

/**
 * A layer of RGBA pixels with the text over and over, in slanting lines. Each dot is light with a dark edge, so that it can be read on
 * any photo, and so faint that the document can.
 */
export function drawMark(text: string, width: number, height: number): Buffer {
  const layer = Buffer.alloc(width * height * 4)
  const scale = Math.max(2, Math.round(Math.min(width, height) / 350))
  const shown = [...text.toUpperCase(), ...' '.repeat(textGap)].map((letter) => letters[letter] ?? letters['?']!)
  const edge = Math.ceil(scale / 2)
  const paint = (x: number, y: number, { value, opacity }: Shade): void => {
    for (let row = Math.max(0, y); row < Math.min(height, y + scale); row++)
      for (let column = Math.max(0, x); column < Math.min(width, x + scale); column++) {
        const pixel = (row * width + column) * 4
        const alpha = pixel + 3
        layer.fill(value, pixel, alpha)
        layer[alpha] = opacity
      }
  }
  forEachDot(shown, { width, height, scale }, (x, y) => paint(x + edge, y + edge, dark))
  forEachDot(shown, { width, height, scale }, (x, y) => paint(x, y, light))
  return layer
}

type Place = { readonly width: number; readonly height: number; readonly scale: number }

/** Calls `dot` with the upper left corner of each dot of each letter. */
function forEachDot(shown: readonly string[], { width, height, scale }: Place, dot: (x: number, y: number) => void): void {
  const lineStep = rows * scale * lineEvery
  const perLine = Math.ceil(width / (advance * scale))
  for (let line = 0; line * lineStep < height + width * slope + lineStep; line++) {
    for (let place = 0; place < perLine; place++) {
      // Each line begins elsewhere in the text, so that a narrow crop has all of it.
      const letter = shown[(place + line * 7) % shown.length]!
      const left = place * advance * scale
      const top = Math.round(line * lineStep - left * slope)
      for (let column = 0; column < columns; column++) {
        const bits = Number.parseInt(letter.slice(column * 2, column * 2 + 2), 16)
        for (let row = 0; row < rows; row++) if ((bits >> row) & 1) dot(left + column * scale, top + row * scale)
      }
    }
  }
}
