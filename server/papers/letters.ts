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
export const rows = 7
/** Columns of a letter and the gap behind it. */
export const advance = columns + 1

/** Calls `dot` with column and row of each dot of a letter; of an unknown one, those of a question mark. */
export function forEachDot(letter: string, dot: (column: number, row: number) => void): void {
  const code = letters[letter] ?? letters['?']!
  for (let column = 0; column < columns; column++) {
    const bits = Number.parseInt(code.slice(column * 2, column * 2 + 2), 16)
    for (let row = 0; row < rows; row++) if ((bits >> row) & 1) dot(column, row)
  }
}
