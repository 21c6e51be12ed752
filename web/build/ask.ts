/** Writes `proof/ask.html`: the page that asks a node of the reader's choice, with all that it needs in one file. */
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

const style = `
:root { color-scheme: light dark; --fg: #16181d; --bg: #ffffff; --line: #8a8f99; --good: #0b6b43; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --fg: #eceef2; --bg: #0f1115; --line: #7d838f; --good: #5fd6a0; --bad: #ff8a80 } }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--fg); background: var(--bg) }
main { max-width: 44rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
label { display: block; margin: 1rem 0 .5rem }
input { display: block; box-sizing: border-box; width: 100%; min-height: 2.75rem; margin-top: .25rem; padding: .5rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .5rem }
button { min-height: 2.75rem; padding: .5rem 1rem; font: inherit; color: var(--bg); background: var(--fg); border: 0; border-radius: .5rem }
button:disabled { opacity: .5 }
.good { color: var(--good) }
.bad { color: var(--bad); font-weight: 600 }
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
