/** A page with many pictures side by side. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes `index.html` beside the pictures in a folder. `names`: of their files. */
export function writeContactSheet(folder: string, names: readonly string[]): void {
  const figures = names.map((name) => `<figure><img src="${name}" loading="lazy"><figcaption>${name}</figcaption></figure>`)
  const style =
    'body{margin:16px;background:#888;display:flex;flex-wrap:wrap;gap:12px;font:12px system-ui}figure{margin:0}img{width:240px;display:block}'
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Candor, every screen</title><style>${style}</style>${figures.join('')}`,
  )
}
