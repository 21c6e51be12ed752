/** A plugin of StrykerJS: texts of thrown errors are for people, and no test holds their every word. */

/** As much of a Babel path as is needed here. */
type Path = {
  readonly node: { readonly type: string; readonly callee?: { readonly name?: string } }
  readonly parentPath: Path | null
}

const texts = new Set(['StringLiteral', 'TemplateLiteral'])

/** The reason why nothing in this piece of code is mutated; undefined: it is. */
function shouldIgnore(path: Path): string | undefined {
  if (!texts.has(path.node.type)) return undefined
  for (let above = path.parentPath; above !== null; above = above.parentPath) {
    const { type, callee } = above.node
    if (type === 'NewExpression')
      return isError(callee?.name) || above.parentPath?.node.type === 'ThrowStatement' ? 'text of an error' : undefined
    if (type.endsWith('Statement') || type.includes('Function')) return undefined
  }
  return undefined
}

function isError(name: string | undefined): boolean {
  return name !== undefined && /(Error|Fault)$/.test(name)
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'messages', value: { shouldIgnore } }]
