/** A plugin of StrykerJS: leaves out texts of thrown errors, which are for people and not tested word by word. */

/** The part of a Babel path that is needed here. */
type Path = {
  readonly node: { readonly type: string; readonly callee?: { readonly name?: string } }
  readonly parentPath: Path | null
}

const texts = new Set(['StringLiteral', 'TemplateLiteral'])

/** The reason why nothing in this piece of code is mutated; undefined when it is. */
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
