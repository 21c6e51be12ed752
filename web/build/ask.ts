/** Writes `proof/ask.html`: the page that asks a node of the reader's choice, with all that it needs in one file. */
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

// The colours of the app.
const style = `
:root { color-scheme: light dark; --fg: #0d1117; --fg2: #4a5362; --bg: #f6f7f9; --card: #ffffff; --line: #7f8898; --soft: #dfe3ea; --brand: #4048e0; --on: #ffffff; --good: #067a52; --bad: #cf2438 }
@media (prefers-color-scheme: dark) { :root { --fg: #f3f5f9; --fg2: #a8b0bf; --bg: #0a0c10; --card: #11141a; --line: #7f8898; --soft: #252b36; --brand: #8b93ff; --on: #0a0c10; --good: #2bd494; --bad: #ff6473 } }
body { margin: 0; font: 0.9375rem/1.5 system-ui, sans-serif; color: var(--fg); background: var(--bg) }
main { max-width: 44rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
h1 { margin: .5rem 0; font-size: 1.375rem; line-height: 1.3 }
h2 { margin: 0; font-size: 1.0625rem }
h3 { margin: 1rem 0 .25rem; font: 500 .75rem/1.4 ui-monospace, monospace; color: var(--fg2) }
p { margin: .5rem 0 }
main > p, .quiet { color: var(--fg2) }
section { margin: 1rem 0; padding: 1rem; background: var(--card); border-radius: 1rem }
section .quiet { margin: 0; font-size: .8125rem; font-variant-numeric: tabular-nums }
label { display: block; margin: .75rem 0 .5rem; font-size: .8125rem; color: var(--fg2) }
input { display: block; box-sizing: border-box; width: 100%; min-height: 3rem; margin-top: .25rem; padding: .5rem .75rem; font-family: inherit; font-size: 1rem; color: var(--fg); background: transparent; border: 1px solid var(--line); border-radius: .75rem }
button, .file { box-sizing: border-box; display: block; width: 100%; min-height: 3rem; margin: .75rem 0 0; padding: .75rem 1rem; font: 600 .9375rem/1.5 system-ui, sans-serif; text-align: center; color: var(--on); background: var(--brand); border: 0; border-radius: .75rem; cursor: pointer }
.file { position: relative; color: var(--fg); background: var(--soft) }
.file input { position: absolute; inset: 0; min-height: 0; height: 100%; margin: 0; opacity: 0; cursor: pointer }
button:focus-visible, input:focus-visible, .file:focus-within { outline: 2px solid var(--brand); outline-offset: 2px }
button:disabled { opacity: .5 }
ul { margin: 0; padding: 0; list-style: none }
li { display: flex; font-size: .875rem; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .25rem 0; font-variant-numeric: tabular-nums }
li > span { margin-inline-start: auto; text-align: end }
main .good { color: var(--good) }
main .bad { color: var(--bad); font-weight: 600 }
`

export function askPage(): Plugin {
  let root = ''
  return {
    name: 'candor:ask',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    async generateBundle() {
      const made = await build({
        root,
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        build: {
          target: 'es2023',
          write: false,
          modulePreload: false,
          lib: { entry: join(root, 'ask', 'main.ts'), formats: ['iife'], name: 'ask' },
        },
      })
      const [one] = Array.isArray(made) ? made : [made]
      const [file, ...others] = 'output' in one! ? one.output : []
      if (file?.type !== 'chunk' || others.length > 0) throw new Error('the page is not one file')
      // The server allows exactly this script and this style, by their hashes.
      const source = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Candor</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        `<style>${style}</style>\n</head>\n<body>\n<main></main>`,
        `<script>${file.code.replaceAll('</script', '<\\/script')}</script>\n</body>\n</html>\n`,
      ]
      this.emitFile({ type: 'asset', fileName: 'proof/ask.html', source: source.join('\n') })
    },
  }
}
