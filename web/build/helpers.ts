/**
 * Moves the bundler's helpers into the shell. Otherwise they have a file of their own, which every first load would have to request.
 */
import type { Plugin, Rolldown } from 'vite'

const imported = /import\{([^}]*)\}from"\.\/rolldown-runtime-[\w-]+\.js";?/
const exported = /export\{([^}]*)\};?\s*$/

export function helpersInShell(): Plugin {
  return {
    name: 'candor:helpers',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const helpers = named(chunks, 'rolldown-runtime')
        const shell = named(chunks, 'shell')
        const [own, names = ''] = imported.exec(shell.code) ?? []
        const [, given] = exported.exec(helpers.code) ?? []
        if (own === undefined || given === undefined)
          throw new Error('the bundler writes its helpers differently: see web/build/helpers.ts')
        const body = helpers.code.replace(exported, '')
        const result = pairs(given).map(([inner, outer]) => `${outer}:${inner}`)
        const bindings = pairs(names)
        const taken = bindings.map(([outer, inner]) => `${outer}:${inner}`)
        const passedOn = bindings.map(([outer, inner]) => `${inner} as helper_${outer}`)
        shell.code = `const{${taken}}=(()=>{${body}return{${result}}})();${shell.code.replace(own, '')}export{${passedOn}};`
        for (const chunk of chunks) {
          if (chunk === shell || chunk === helpers) continue
          chunk.code = chunk.code.replace(imported, (_, wanted: string) => {
            const renamed = pairs(wanted).map(([outer, inner]) => `helper_${outer} as ${inner}`)
            return `import{${renamed}}from"./${shell.fileName.split('/').at(-1)}";`
          })
        }
        const page = bundle['index.html']
        if (page?.type === 'asset')
          page.source = String(page.source).replace(/\s*<script[^>]*src="\/([^"]+)"[^>]*><\/script>/g, (tag: string, name: string) =>
            name === helpers.fileName ? '' : tag,
          )
        delete bundle[helpers.fileName]
      },
    },
  }
}

function named(chunks: readonly Rolldown.OutputChunk[], name: string): Rolldown.OutputChunk {
  const chunk = chunks.find((one) => one.name === name)
  if (chunk === undefined) throw new Error(`no file of the build is called ${name}`)
  return chunk
}

/** `a as b,c` as `[a, b]` and `[c, c]`. */
function pairs(list: string): readonly (readonly [string, string])[] {
  return list.split(',').map((one) => {
    const [name = '', as = name] = one.trim().split(/\s+as\s+/)
    return [name, as]
  })
}
