/** Writes `proof/verify.mjs`: the verifier with all that it needs in one file, as it can be read. */
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

/** Above the code: what the file is, and the licence. */
const banner = '// Checks files of the exchange on your own computer: node verify.mjs FILE...  Apache-2.0'

export function verifier(): Plugin {
  let root = ''
  return {
    name: 'candor:verifier',
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
          minify: false,
          write: false,
          modulePreload: false,
          lib: { entry: join(root, 'verifier', 'main.ts'), formats: ['es'] },
          rolldownOptions: { external: /^node:/, output: { banner } },
        },
      })
      const [one] = Array.isArray(made) ? made : [made]
      const [file, ...others] = 'output' in one! ? one.output : []
      if (file?.type !== 'chunk' || others.length > 0) throw new Error('the verifier is not one file')
      this.emitFile({ type: 'asset', fileName: 'proof/verify.mjs', source: file.code })
    },
  }
}
